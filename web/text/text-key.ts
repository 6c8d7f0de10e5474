import type { Span } from '../../core/evidence.ts';

/** Names one raw text of a sample on a page: `output`, or `trace:3` for the third step. */
export function textKey({ field, step }: Pick<Span, 'field' | 'step'>): string {
  return step === undefined ? field : `${field}:${step}`;
}
