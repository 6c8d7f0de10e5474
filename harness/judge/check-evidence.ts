import { findQuote, type Quote } from '../../core/evidence.ts';
import type { Criterion } from '../../core/rubric.ts';
import { fieldText, type SampleContent, type SampleField } from '../../core/sample.ts';
import type { Ask } from './ask.ts';
import type { Claim } from './reply.ts';

/** Quotes after the check, and what is wrong with them: no faults = the value may count. */
export interface CheckedEvidence {
  quotes: Quote[];
  faults: string[];
}

/**
 * Looks each quote up in the field or step that it names. Offsets are ours. Where the criterion demands evidence there
 * must be a quote and all of them must stand in the text, unless nothing that may be quoted holds any text at all.
 * Quotes beyond the judge's maximum are dropped.
 */
export function checkEvidence(
  content: SampleContent,
  ask: Ask,
  criterion: Criterion,
  claims: readonly Claim[],
): CheckedEvidence {
  const checked = claims
    .slice(0, ask.evidence.max_quotes)
    .map((claim) => checkClaim(content, ask, criterion, claim));
  const quotes = checked.flatMap(({ quote }) => (quote === null ? [] : [quote]));
  const faults = checked.flatMap(({ fault }) => (fault === null ? [] : [fault]));
  if (!criterion.evidence.required) return { quotes, faults: [] };
  if (claims.length === 0 && hasText(content, ask, criterion)) faults.push('There is no quote.');
  return { quotes, faults };
}

function checkClaim(
  content: SampleContent,
  ask: Ask,
  criterion: Criterion,
  claim: Claim,
): { quote: Quote | null; fault: string | null } {
  const field = ask.fields.get(claim.field);
  const shown = `"${claim.quote.slice(0, 200)}"`;
  if (field === undefined) return { quote: null, fault: `${shown}: there is no field "${claim.field}".` };
  const step = field === 'trace' && claim.step !== null && claim.step > 0 ? claim.step : undefined;
  const text = allowed(criterion, field) ? fieldText(content, field, step) : null;
  const found = findQuote(text ?? '', claim.quote, ask.evidence.min_chars);
  const quote = {
    field,
    ...(step !== undefined && { step }),
    quote: claim.quote,
    ...found,
    ...(isMisplaced(claim, found.places) && { misplaced: true as const }),
  };
  if (found.status !== 'unsupported') return { quote, fault: null };
  const where = step === undefined ? claim.field : `step ${step}`;
  return { quote, fault: `${shown} does not stand in ${where}.` };
}

/** Does a judge give offsets at which its quote does not stand? */
function isMisplaced({ start, end }: Claim, places: Quote['places']): boolean {
  if (places.length === 0 || (start === undefined && end === undefined)) return false;
  return !places.some((place) => place.start === (start ?? place.start) && place.end === (end ?? place.end));
}

/** Criteria that share a call share its fields, but not what each may quote. */
function allowed(criterion: Criterion, field: SampleField): boolean {
  const source = field === 'output_a' || field === 'output_b' ? 'output' : field;
  return criterion.evidence.from.includes(source);
}

function hasText(content: SampleContent, ask: Ask, criterion: Criterion): boolean {
  return [...ask.fields.values()]
    .filter((field) => allowed(criterion, field))
    .some((field) =>
      field === 'trace'
        ? content.kind === 'trace' && content.trace.steps.length > 0
        : (fieldText(content, field) ?? '').trim() !== '',
    );
}
