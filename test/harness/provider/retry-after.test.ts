import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../harness/provider/retry-after.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const wait = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), NOW);

describe('how long a provider asks to wait', () => {
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': '7200' }, 7_200_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
  ])('%j is %i ms', (headers, ms) => {
    expect(wait(headers)).toBe(ms);
  });

  it.each([
    'soon',
    '-5',
    '',
    '1e11',
    '100000000000',
    '2, 5',
    'NaN',
    'Sun, 29 Nov 2026 12:00:00 GMT',
    '2026-11-30',
  ])('retry-after "%s" is no advice', (value) => {
    expect(wait({ 'retry-after': value })).toBeNull();
  });

  it.each([
    [{ 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
    [{ 'x-ratelimit-reset-requests': '500ms' }, 500],
    [{ 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '1h2m' }, 3_720_000],
    [{ 'anthropic-ratelimit-tokens-reset': '2026-11-30T12:00:07Z' }, 7000],
    [{ 'anthropic-ratelimit-tokens-reset': '2026-11-30T11:00:00Z' }, null],
    [{ 'x-ratelimit-reset-tokens': 'later' }, null],
    [{ 'x-ratelimit-reset-tokens': '6m0s', 'retry-after': '3' }, 3000],
  ])('reset headers %j are %s', (headers, ms) => {
    expect(wait(headers)).toBe(ms);
  });

  it('counts a date from the server clock, however wrong that is', () => {
    const headers = { date: 'Tue, 01 Dec 2026 12:00:00 GMT', 'retry-after': 'Tue, 01 Dec 2026 12:00:05 GMT' };
    expect(wait(headers)).toBe(5000);
  });

  it('says nothing where the provider says nothing', () => {
    expect(wait({})).toBeNull();
  });
});
