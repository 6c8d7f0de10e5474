import type { CallReceipt } from '../../core/verdict.ts';

/** The receipt of an attempt that was never heard of and is given up. */
export const LOST: CallReceipt = {
  usage: null,
  cost_usd: null,
  served_model: null,
  fingerprint: null,
  request_id: null,
  ms: 0,
  lost: true,
  raw: null,
};
