import type { CallReceipt } from '../../core/verdict.ts';

/** A receipt as both ledgers store it; the order of its columns is the order in which a row is hashed. */
export function receiptColumns(receipt: CallReceipt) {
  return {
    usage: receipt.usage === null ? null : JSON.stringify(receipt.usage),
    costUsd: receipt.cost_usd,
    servedModel: receipt.served_model,
    fingerprint: receipt.fingerprint,
    requestId: receipt.request_id,
    ms: receipt.ms,
    raw: receipt.raw,
    lost: receipt.lost ? 1 : 0,
  };
}
