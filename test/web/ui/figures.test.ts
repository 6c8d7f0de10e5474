import { expect, test } from 'vitest';
import { counted, decimal, dollars, duration, percent, range, reasonText } from '../../../web/ui/figures.ts';

test('a figure has two decimals, a true minus, and no minus before nothing', () => {
  expect([0.456, -0.2, -0.001, 1, null].map(decimal)).toEqual(['0.46', '−0.20', '0.00', '1.00', '–']);
});

test('a share below a tenth keeps one decimal', () => {
  expect([0, 0.046, 0.5, 1, null].map(percent)).toEqual(['0 %', '4.6 %', '50 %', '100 %', '–']);
});

test('an interval is written with the figure’s own hand', () => {
  const ci = { low: -0.1, high: 0.75, level: 0.95, method: 'm' };
  expect([range(ci), range({ ...ci, low: 0.02 }, percent), range(null)]).toEqual([
    '−0.10 to 0.75',
    '2.0 % to 75 %',
    'no interval',
  ]);
});

test('time is told as people tell it', () => {
  expect([32, 1400, 14_200, 89_000, 180_000, 9_000_000].map(duration)).toEqual([
    '32 ms',
    '1.4 s',
    '14 s',
    '89 s',
    '3 min',
    '2.5 h',
  ]);
});

test('one is one, and a missing figure says why', () => {
  expect([counted(1, 'sample'), counted(1240, 'sample')]).toEqual(['1 sample', '1,240 samples']);
  expect(reasonText({ status: 'undefined', reason: 'SINGLE_CATEGORY' })).toBe('only one level occurs');
  expect(reasonText({ status: 'ok' })).toBeNull();
});

test('a small sum keeps the digits that it needs, and an unknown one is no zero', () => {
  expect([null, 0, 0.000_123, 0.0012, 0.05, 0.123_4, 12.5].map(dollars)).toEqual([
    'unknown',
    '$0.00',
    '$0.000123',
    '$0.0012',
    '$0.05',
    '$0.123',
    '$12.50',
  ]);
});
