/** What a refund agent understands of an instruction: the case is the first order it names. */
export interface RefundCase {
  order_id: string;
  /** A sum that the customer named; null = the whole price. */
  amount: number | null;
  wantsEmail: boolean;
  reason: string;
}

/** Reads an instruction up to the customer's quoted message: what stands in quotes is told, not asked. */
export function readCase(instruction: string): RefundCase {
  const asked = instruction.split('"')[0] ?? '';
  const order_id = /\b\d{5}\b/.exec(asked)?.[0] ?? '';
  const sum = /wants (\d+(?:\.\d\d)?) back/.exec(asked)?.[1];
  const reason = /(never arrived|arrived [a-z ]+|broken [a-z]+)/.exec(asked)?.[1] ?? 'complaint';
  return {
    order_id,
    amount: sum === undefined ? null : Number(sum),
    wantsEmail: /by email/.test(asked),
    reason,
  };
}
