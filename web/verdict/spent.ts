import type { CallReceipt } from '../../core/verdict.ts';

/** What all sendings of a call took together. */
export interface Spent {
  /** In words; says where a count is missing. */
  tokens: string;
  /** US dollars; null where a sending's cost is not known. */
  cost_usd: number | null;
  ms: number;
}

/** Sums the sendings of a call; null where none of them was heard of. A count that is missing makes no zero. */
export function spent(attempts: readonly { receipt: CallReceipt | null }[]): Spent | null {
  const receipts = attempts.flatMap(({ receipt }) => receipt ?? []);
  if (receipts.length === 0) return null;
  const whole = receipts.length === attempts.length;
  const costs = receipts.map(({ cost_usd }) => cost_usd);
  const sum = costs.reduce((total, cost) => (total === null || cost === null ? null : total + cost), 0);
  const used = receipts.flatMap(({ usage }) => usage ?? []);
  const input = used.reduce((total, usage) => total + usage.input, 0);
  const output = used.reduce((total, usage) => total + usage.output, 0);
  return {
    tokens:
      used.length === 0 ? 'not told' : `${input.toLocaleString('en')} in, ${output.toLocaleString('en')} out`,
    cost_usd: whole ? sum : null,
    ms: receipts.reduce((total, { ms }) => total + ms, 0),
  };
}

/** One sending's tokens in words. */
export function tokensOf({ usage }: CallReceipt): string {
  if (usage === null) return 'tokens not told';
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  const count = (n: number, what: string) => (n === 0 ? [] : [`${n.toLocaleString('en')} ${what}`]);
  const within = [
    ...count(cacheRead, 'read from the cache'),
    ...count(cacheWrite, 'written to it'),
    ...count(reasoning, 'for reasoning'),
  ];
  const main = `${input.toLocaleString('en')} tokens in, ${output.toLocaleString('en')} out`;
  return within.length === 0 ? main : `${main} (${within.join(', ')})`;
}
