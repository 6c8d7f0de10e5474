import type { AgreementReport, RepeatFigures } from '../../core/agreement.ts';
import { type Criterion, levelValues } from '../../core/rubric.ts';
import { passes } from '../../core/scale.ts';
import { sensitivity, specificity } from '../../core/stats/confusion.ts';
import { contingencyTable } from '../../core/stats/contingency.ts';
import { rankCorrelation } from '../../core/stats/rank.ts';
import type { Stat } from '../../core/stats/stat.ts';
import { wilson } from '../../core/stats/wilson.ts';
import type { UnscoredCounts } from '../../core/verdict.ts';
import { humanAgreement, valuesOf } from './human-agreement.ts';
import { orderFigures } from './order-figures.ts';
import { pairAgreement } from './pair-agreement.ts';
import { type RatedItem, scoredValue } from './rated-item.ts';

/** What a report is about, as the caller knows it. */
export type ReportSubject = Pick<
  AgreementReport,
  | 'dataset'
  | 'label_set'
  | 'split'
  | 'rubric'
  | 'judge'
  | 'judge_hash'
  | 'simulated'
  | 'where'
  | 'looks_at_test'
  | 'attack_pack'
> & {
  /** A panel's members in its own order; null of any other judge. */
  members: readonly string[] | null;
};

/** A judge against gold on one criterion, with everything that has to stand beside the figure. */
export function agreementReport(
  items: readonly RatedItem[],
  criterion: Criterion,
  { members, ...subject }: ReportSubject,
): AgreementReport {
  const categories = levelValues(criterion);
  const settled = items.filter((item) => item.gold !== null);
  const golds = settled.map((item) => item.gold?.value ?? null);
  const verdicts = settled.map((item) => scoredValue(item.verdict));
  const scored = settled.filter((_, index) => verdicts[index] !== null);
  const agreement = pairAgreement(golds, verdicts, categories, criterion.scale);
  const humans = humanAgreement(items, criterion);
  const clusters = new Set(settled.map((item) => item.cluster)).size;
  return {
    ...subject,
    criterion: criterion.id,
    scale: criterion.scale,
    n_gold: settled.length,
    n_scored: scored.length,
    unscored: unscoredCounts(settled),
    no_gold: items.length - settled.length,
    base_rate: baseRate(golds, criterion),
    gold_shares: categories.map((value) => ({ value, n: golds.filter((gold) => gold === value).length })),
    agreement,
    rank: criterion.scale === 'ordinal' ? ranks(golds, verdicts) : null,
    ...passRates(golds, verdicts, criterion),
    evidence_supported: evidenceSupported(settled),
    orders: orderFigures(settled, categories, criterion.scale),
    repeats: repeatFigures(settled),
    panel:
      members?.map((judge, index) => ({
        judge,
        kappa: pairAgreement(
          verdicts,
          settled.map((item) => scoredValue(item.members[index] ?? null)),
          categories,
          criterion.scale,
        ).kappa,
      })) ?? null,
    humans,
    per_annotator: humans.annotators.map((annotator) => ({
      annotator,
      kappa: pairAgreement(
        valuesOf(items, annotator),
        items.map((item) => scoredValue(item.verdict)),
        categories,
        criterion.scale,
      ).kappa,
    })),
    disagreements: settled.flatMap((item, index) => {
      const [gold, verdict] = [golds[index], verdicts[index]];
      const differ = gold != null && verdict != null && gold !== verdict;
      return differ ? [{ sample: item.sample, external: item.external, gold, verdict }] : [];
    }),
    clusters,
    notes: [
      ...agreement.notes,
      ...(clusters < settled.length
        ? [
            `${settled.length} samples stand in ${clusters} groups; the interval treats them as independent and is too narrow to that extent`,
          ]
        : []),
    ],
  };
}

function unscoredCounts(items: readonly RatedItem[]): UnscoredCounts {
  const counts: UnscoredCounts = {};
  for (const { verdict } of items) {
    if (verdict?.outcome === 'scored') continue;
    const reason = verdict?.outcome ?? 'missing';
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

/** Share of gold that passes; of the commonest level where the criterion has no pass rule. */
function baseRate(golds: readonly (string | null)[], criterion: Criterion): Stat {
  const there = golds.flatMap((gold) => (gold === null ? [] : [gold]));
  if (criterion.pass !== undefined)
    return wilson(there.filter((gold) => passes(gold, criterion.pass)).length, there.length);
  const most = Math.max(
    0,
    ...levelValues(criterion).map((value) => there.filter((gold) => gold === value).length),
  );
  return wilson(most, there.length);
}

function ranks(
  golds: readonly (string | null)[],
  verdicts: readonly (string | null)[],
): AgreementReport['rank'] {
  const both = golds.flatMap((gold, index) => {
    const verdict = verdicts[index];
    return gold === null || verdict == null ? [] : [[Number(gold), Number(verdict)] as const];
  });
  const { rho, tauB } = rankCorrelation(
    both.map(([gold]) => gold),
    both.map(([, verdict]) => verdict),
  );
  return { spearman: rho, tau_b: tauB };
}

const YES_NO = ['pass', 'fail'];

/** Does the judge pass what people pass, and fail what they fail? Null without a pass rule. */
function passRates(
  golds: readonly (string | null)[],
  verdicts: readonly (string | null)[],
  { pass }: Criterion,
): Pick<AgreementReport, 'sensitivity' | 'specificity'> {
  if (pass === undefined) return { sensitivity: null, specificity: null };
  const yesNo = (value: string | null) => (value === null ? null : passes(value, pass) ? 'pass' : 'fail');
  const { table } = contingencyTable(golds.map(yesNo), verdicts.map(yesNo), YES_NO);
  return { sensitivity: sensitivity(table, 0), specificity: specificity(table, 0) };
}

/** How many samples got one value from all their repeats. Null where none was asked again. */
function repeatFigures(items: readonly RatedItem[]): RepeatFigures | null {
  const count = (came: RatedItem['repeats']) => items.filter(({ repeats }) => repeats === came).length;
  const [same, differ, left_out] = [count('same'), count('differ'), count('unscored')];
  return same + differ + left_out === 0 ? null : { agree: wilson(same, same + differ), left_out };
}

/** Of the verdicts that quoted or should have: how many stood on a quote that is in the text. Null where none quotes. */
function evidenceSupported(items: readonly RatedItem[]): Stat | null {
  let [supported, asked] = [0, 0];
  for (const { verdict } of items) {
    if (verdict === null) continue;
    const quoted = verdict.quotes.length > 0;
    if (verdict.outcome === 'unsupported') asked++;
    else if (verdict.outcome === 'scored' && quoted) {
      asked++;
      if (verdict.quotes.every((quote) => quote.status !== 'unsupported')) supported++;
    }
  }
  return asked === 0 ? null : wilson(supported, asked);
}
