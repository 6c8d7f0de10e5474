import { z } from 'zod';
import { AttackFigures } from './attack.ts';
import { Split } from './label-set.ts';
import { Slug, VersionRef } from './rubric.ts';
import { SampleId } from './sample.ts';
import { LevelValue, ScaleKind } from './scale.ts';
import { KappaResult } from './stats/kappa.ts';
import { Stat } from './stats/stat.ts';
import { JudgeName, PairOrder, UnscoredCounts } from './verdict.ts';

/** Kappa with its parts and the weights that it was drawn with. */
export const KappaStat = KappaResult.extend({ weights: z.enum(['unweighted', 'linear', 'quadratic']) });
export type KappaStat = z.infer<typeof KappaStat>;

/** A figure with the two-sided p of its being zero. */
export const TestedStat = Stat.extend({ p: z.number().nullable() });
export type TestedStat = z.infer<typeof TestedStat>;

/** Two raters on the same items: table rows = the reference (person or gold), columns = the rater under test. */
export const PairAgreement = z.strictObject({
  n: z.number().int(),
  categories: z.array(z.string()),
  table: z.array(z.array(z.number().int())),
  percent: Stat,
  kappa: KappaStat,
  /** All three weightings where the scale is ordinal, else the unweighted one. */
  kappas: z.array(KappaStat),
  kappa_max: z.number().nullable(),
  scott_pi: Stat,
  ac1: Stat,
  brennan_prediger: Stat,
  /** Shown where kappa is depressed by imbalance. */
  notes: z.array(z.string()),
});
export type PairAgreement = z.infer<typeof PairAgreement>;

/** Position figures of a judge that saw each pair in both orders. */
export const OrderFigures = z.strictObject({
  n: z.number().int(),
  unreadable: z.strictObject({ ab: z.number().int(), ba: z.number().int() }),
  consistent: z.number().int(),
  conflict: z.number().int(),
  conflict_rate: Stat,
  first_both: z.number().int(),
  second_both: z.number().int(),
  mixed_with_tie: z.number().int(),
  first_share: Stat,
  net_shift: Stat,
  /** Two-sided exact binomial p that conflicts lean to neither slot. */
  p: z.number().nullable(),
  between_orders: PairAgreement,
  gold_ab: PairAgreement,
  gold_ba: PairAgreement,
});
export type OrderFigures = z.infer<typeof OrderFigures>;

/** The human ceiling on the same items and the same measure. */
export const HumanAgreement = z.strictObject({
  annotators: z.array(z.string()),
  pairs: z.array(z.strictObject({ one: z.string(), other: z.string(), agreement: PairAgreement })),
  mean_kappa: z.number().nullable(),
  fleiss: Stat.nullable(),
  alpha: Stat.nullable(),
});
export type HumanAgreement = z.infer<typeof HumanAgreement>;

/** How steady a judge is that was asked the same several times. */
export const RepeatFigures = z.strictObject({
  /** Share of samples whose repeats all gave one value, in each order of a pair; of those with every repeat scored. */
  agree: Stat,
  /** Samples with a repeat that was not scored. */
  left_out: z.number().int(),
});
export type RepeatFigures = z.infer<typeof RepeatFigures>;

/** How far one member of a panel goes with what the panel came to. */
export const MemberAgreement = z.strictObject({ judge: JudgeName, kappa: KappaStat });
export type MemberAgreement = z.infer<typeof MemberAgreement>;

/** Where a sample stands on which people and judge differ. */
export const Disagreement = z.strictObject({
  sample: SampleId,
  external: z.string().nullable(),
  gold: LevelValue,
  verdict: LevelValue,
});
export type Disagreement = z.infer<typeof Disagreement>;

/** A judge against gold on one criterion: the same object for the command line, the page and the file. */
export const AgreementReport = z.strictObject({
  dataset: Slug,
  label_set: VersionRef.nullable(),
  split: z.union([Split, z.literal('all')]),
  rubric: VersionRef,
  criterion: Slug,
  scale: ScaleKind,
  judge: JudgeName,
  judge_hash: z.string().nullable(),
  simulated: z.boolean(),
  where: z.record(z.string(), z.string()),
  /** Samples with gold; `scored` of them have a value from the judge. */
  n_gold: z.number().int(),
  n_scored: z.number().int(),
  unscored: UnscoredCounts,
  no_gold: z.number().int(),
  /** Share of gold that passes (or of each level where no pass rule stands). */
  base_rate: Stat,
  gold_shares: z.array(z.strictObject({ value: LevelValue, n: z.number().int() })),
  agreement: PairAgreement,
  rank: z.strictObject({ spearman: TestedStat, tau_b: TestedStat }).nullable(),
  sensitivity: Stat.nullable(),
  specificity: Stat.nullable(),
  evidence_supported: Stat.nullable(),
  orders: OrderFigures.nullable(),
  /** Null where each sample was asked once. */
  repeats: RepeatFigures.nullable(),
  /** Of a panel: each member against the panel's own verdicts; null of any other judge. */
  panel: z.array(MemberAgreement).nullable(),
  /** What hostile inputs do to this judge version; null = the attack pack was not run on it. */
  attack_pack: AttackFigures.nullable(),
  humans: HumanAgreement,
  /** Judge against each person. */
  per_annotator: z.array(z.strictObject({ annotator: z.string(), kappa: KappaStat })),
  disagreements: z.array(Disagreement),
  clusters: z.number().int(),
  looks_at_test: z.number().int(),
  notes: z.array(z.string()),
});
export type AgreementReport = z.infer<typeof AgreementReport>;

/** Which of a pair judge's two orders a figure is drawn from; `both` = agreeing orders, a flip counts as a tie. */
export const OrderChoice = z.union([PairOrder, z.literal('both')]);
export type OrderChoice = z.infer<typeof OrderChoice>;
