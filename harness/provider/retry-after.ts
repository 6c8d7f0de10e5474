/** Waits of more than a day are no advice. */
const LONGEST = 86_400_000;

/**
 * How long a provider asks to wait, milliseconds, or null where it says nothing usable.
 * Read first: `retry-after-ms`, then `retry-after` as seconds or as an HTTP date, counted from the server's own
 * clock where it shows it; else the longest of the rate limit's reset headers of OpenAI and Anthropic.
 */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const served = Date.parse(headers.get('date') ?? '');
  const clock = Number.isFinite(served) ? served : now;
  return (
    usable(number(headers.get('retry-after-ms'), 1)) ??
    usable(number(headers.get('retry-after'), 1000) ?? until(headers.get('retry-after'), clock)) ??
    longestReset(headers, clock)
  );
}

function usable(ms: number | null): number | null {
  return ms !== null && ms >= 0 && ms <= LONGEST ? ms : null;
}

function number(text: string | null, unit: number): number | null {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * unit : null;
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds from `clock` to a date that lies ahead. */
function until(text: string | null, clock: number): number | null {
  if (text === null || !(HTTP_DATE.test(text) || ISO_DATE.test(text))) return null;
  const ahead = Date.parse(text) - clock;
  return ahead > 0 ? ahead : null;
}

function longestReset(headers: Headers, clock: number): number | null {
  const waits: number[] = [];
  for (const [name, value] of headers) {
    const wait = name.startsWith('x-ratelimit-reset-')
      ? span(value)
      : /^anthropic-ratelimit-.*-reset$/.test(name)
        ? until(value, clock)
        : null;
    const found = usable(wait);
    if (found !== null) waits.push(found);
  }
  return waits.length > 0 ? Math.max(...waits) : null;
}

const UNITS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `6m0s`, `1.5s`, `500ms` as milliseconds. */
function span(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(text)) return null;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0),
    0,
  );
}
