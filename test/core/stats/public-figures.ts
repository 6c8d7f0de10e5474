import { expect } from 'vitest';
import { z } from 'zod';
import { brennanPrediger, gwetAC, scottPi } from '../../../core/stats/chance.ts';
import type { Table } from '../../../core/stats/contingency.ts';
import { cohenKappa, kappaMax } from '../../../core/stats/kappa.ts';
import type { Interval } from '../../../core/stats/stat.ts';

export const num = z.number();
/** Null where the reference's standard error is 0. */
const ends = z.tuple([num.nullable(), num.nullable()]);
type Ends = z.infer<typeof ends>;

/** Figures of two raters as the data's golden files hold them; what a set leaves out is not compared. */
export const GoldenCohen = z.object({
  n: num,
  labels: z.array(z.union([z.string(), z.number()])).optional(),
  table_rows_a_cols_b: z.array(z.array(num)).optional(),
  percent_agreement: num,
  percent_agreement_wilson95: ends.optional(),
  kappa: num.nullable(),
  kappa_se_fce: num.nullable(),
  kappa_ci95_statsmodels: ends.nullable().optional(),
  kappa_std0_statsmodels: num.nullable().optional(),
  kappa_max: num.nullable().optional(),
  scott_pi: num.nullable().optional(),
  gwet_ac1: num.nullable().optional(),
  brennan_prediger: num.nullable().optional(),
  kappa_linear: num.nullable().optional(),
  kappa_linear_se_fce: num.nullable().optional(),
  kappa_quadratic: num.nullable().optional(),
  kappa_quadratic_se_fce: num.nullable().optional(),
  kappa_quadratic_ci95_statsmodels: ends.nullable().optional(),
});
export type GoldenCohen = z.infer<typeof GoldenCohen>;

export const GoldenFleiss = z.object({
  fleiss_kappa: num,
  randolph_kappa_free_marginal: num,
  mean_pairwise_agreement: num,
});

/** Compares every figure of a two-rater table. */
export function expectCohen(table: Table, figures: GoldenCohen): void {
  if (figures.table_rows_a_cols_b !== undefined) expect(table).toEqual(figures.table_rows_a_cols_b);
  const kappa = cohenKappa(table);
  expect(kappa.n).toBe(figures.n);
  expectNear(kappa.value, figures.kappa);
  expectNear(kappa.po, figures.percent_agreement);
  if (kappa.value !== null) expectNear(kappa.se, figures.kappa_se_fce);
  expectNear(kappa.se0, figures.kappa_std0_statsmodels);
  if (kappa.se !== 0) expectEnds(kappa.largeSample, clipped(figures.kappa_ci95_statsmodels));
  expectNear(kappaMax(table).kappaMax, figures.kappa_max);
  expectNear(scottPi(table).value, figures.scott_pi);
  expectNear(gwetAC(table).value, figures.gwet_ac1);
  expectNear(brennanPrediger(table).value, figures.brennan_prediger);
  const linear = cohenKappa(table, { weights: 'linear' });
  expectNear(linear.value, figures.kappa_linear);
  expectNear(linear.se, figures.kappa_linear_se_fce);
  const quadratic = cohenKappa(table, { weights: 'quadratic' });
  expectNear(quadratic.value, figures.kappa_quadratic);
  expectNear(quadratic.se, figures.kappa_quadratic_se_fce);
  expectEnds(quadratic.largeSample, clipped(figures.kappa_quadratic_ci95_statsmodels));
}

/** To 1e-9, absolute or relative; an expectation that is not there passes, null expects null. */
export function expectNear(got: number | null | undefined, expected: number | null | undefined): void {
  if (expected === undefined) return;
  if (expected === null || got === null || got === undefined) {
    expect(got).toBe(expected);
    return;
  }
  expect(Math.abs(got - expected), `${got} for ${expected}`).toBeLessThanOrEqual(
    1e-9 * Math.max(1, Math.abs(expected)),
  );
}

export function expectEnds(got: Interval | null, expected: Readonly<Ends> | null | undefined): void {
  if (expected === undefined) return;
  expectNear(got?.low ?? null, expected === null ? null : expected[0]);
  expectNear(got?.high ?? null, expected === null ? null : expected[1]);
}

/** The references do not clip; this project's intervals stay in [−1, 1]. */
function clipped(ci: Readonly<Ends> | null | undefined): Readonly<Ends> | null | undefined {
  if (!ci || ci[0] === null || ci[1] === null) return ci;
  return [Math.max(-1, ci[0]), Math.min(1, ci[1])];
}
