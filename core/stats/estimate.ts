import type { Interval, Reason, Stat } from './stat.ts';

/** What a formula gave; parts left out take their empty value. */
export interface EstimateParts {
  value: number | null;
  n: number;
  se?: number | null;
  ci?: Interval | null;
  nMissing?: number | undefined;
  status?: Stat['status'];
  reason?: Reason | undefined;
  notes?: string[];
}

/**
 * The boundary between formulas and results: builds a Stat in which nothing is NaN or infinite.
 * A value that is not finite becomes null with `reason` (NOT_CONVERGED unless the formula names its own).
 */
export function estimate(parts: EstimateParts): Stat {
  const value = finite(parts.value);
  const lost = value === null && parts.value !== null;
  const status = parts.status ?? (value === null ? 'undefined' : 'ok');
  const reason = parts.reason ?? (lost ? 'NOT_CONVERGED' : undefined);
  return {
    value,
    se: finite(parts.se ?? null),
    ci: value === null && lost ? null : (parts.ci ?? null),
    n: parts.n,
    nMissing: parts.nMissing ?? 0,
    status,
    ...(reason !== undefined && { reason }),
    notes: parts.notes ?? [],
  };
}

/** The number, or null where it is NaN, infinite or absent. */
export function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** An interval clipped to `range`; null where an end does not exist. */
export function interval(
  low: number,
  high: number,
  level: number,
  method: string,
  range: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): Interval | null {
  const clipped = { low: Math.max(range[0], low), high: Math.min(range[1], high), level, method };
  return Number.isFinite(clipped.low) && Number.isFinite(clipped.high) ? clipped : null;
}
