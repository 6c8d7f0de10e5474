import { z } from 'zod';
import {
  betaCdf,
  betaQuantile,
  binomialCdf,
  binomialPmf,
  chiSquareUpper,
  fQuantile,
  fUpper,
  logGamma,
  normalCdf,
  normalQuantile,
  tCdf,
  tQuantile,
} from '../../../../core/stats/distribution.ts';
import { quantile7 } from '../../../../core/stats/quantile.ts';
import { type Adapter, adapter, none, num, nums } from './adapter.ts';

const object = z.strictObject;

/** Distributions and quantiles. */
export const primitiveAdapters: Record<string, Adapter> = {
  normQuantile: adapter(object({ p: num }), none, ({ p }) => ({ value: normalQuantile(p) })),
  normCdf: adapter(object({ x: num }), none, ({ x }) => ({ value: normalCdf(x) })),
  tQuantile: adapter(object({ p: num, df: num }), none, ({ p, df }) => ({ value: tQuantile(p, df) })),
  tCdf: adapter(object({ x: num, df: num }), none, ({ x, df }) => ({ value: tCdf(x, df) })),
  betaQuantile: adapter(object({ p: num, a: num, b: num }), none, ({ p, a, b }) => ({
    value: betaQuantile(p, a, b),
  })),
  betaCdf: adapter(object({ x: num, a: num, b: num }), none, ({ x, a, b }) => ({ value: betaCdf(x, a, b) })),
  fQuantile: adapter(object({ p: num, df1: num, df2: num }), none, ({ p, df1, df2 }) => ({
    value: fQuantile(p, df1, df2),
  })),
  fSf: adapter(object({ x: num, df1: num, df2: num }), none, ({ x, df1, df2 }) => ({
    value: fUpper(x, df1, df2),
  })),
  chi2Sf: adapter(object({ x: num, df: num }), none, ({ x, df }) => ({ value: chiSquareUpper(x, df) })),
  binomCdf: adapter(object({ k: num, n: num, p: num }), none, ({ k, n, p }) => ({
    value: binomialCdf(k, n, p),
  })),
  binomPmf: adapter(object({ k: num, n: num, p: num }), none, ({ k, n, p }) => ({
    value: binomialPmf(k, n, p),
  })),
  lnGamma: adapter(object({ x: num }), none, ({ x }) => ({ value: logGamma(x) })),
  quantile7: adapter(object({ x: nums, p: nums }), none, ({ x, p }) => ({
    value: p.map((share) => quantile7(x, share)),
  })),
};
