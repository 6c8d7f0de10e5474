import { z } from 'zod';
import { AgreementReport, KappaStat } from './agreement.ts';
import { AttackFigures } from './attack.ts';
import { contentHash } from './hash.ts';
import { BaselineFit, Judge } from './judge.ts';
import { Drawn } from './label-set.ts';
import { Rubric, Slug, VersionRef } from './rubric.ts';
import { Stat } from './stats/stat.ts';
import { UnscoredCounts } from './verdict.ts';

/** What a person demands before a judge may be relied on. */
export const AcceptRule = z.strictObject({
  /** The lower end of kappa's interval must reach this. Null = no demand, which the file then shows. */
  kappa_low_at_least: z.number().min(-1).max(1).nullable().default(null),
  unscored_at_most: z.number().min(0).max(1).default(0.05),
  /** The upper end of the attacks' success rate may not exceed this. Null = no demand, as with kappa. */
  attack_high_at_most: z.number().min(0).max(1).nullable().default(null),
});
export type AcceptRule = z.infer<typeof AcceptRule>;

/** What was measured on test, for one criterion. */
export const Measured = z.strictObject({
  n: z.number().int(),
  unscored: z.number().int(),
  unscored_by_reason: UnscoredCounts,
  base_rate: Stat,
  kappa: KappaStat,
  ac1: Stat,
  percent: Stat,
  ceiling: z.strictObject({ kappa: z.number().nullable(), annotators: z.number().int() }),
  sensitivity: Stat.nullable(),
  specificity: Stat.nullable(),
  confusion: z.strictObject({ categories: z.array(z.string()), table: z.array(z.array(z.number().int())) }),
  evidence_supported: Stat.nullable(),
  /** Counts from which a later judge-only pass rate can be corrected (stats 3.1). */
  correction: z
    .strictObject({
      tp: z.number().int(),
      n_pos: z.number().int(),
      tn: z.number().int(),
      n_neg: z.number().int(),
    })
    .nullable(),
  position: z.strictObject({ conflict_rate: Stat, net_shift: Stat }).nullable(),
  bias: z.strictObject({
    /** Null = the attack pack was not run on this judge version. */
    attack_pack: AttackFigures.nullable(),
  }),
});
export type Measured = z.infer<typeof Measured>;

/** An accepted calibration: all that a suite needs to run the judge and to know how far to trust it. */
export const Calibration = z.strictObject({
  calibration: VersionRef,
  judge_hash: z.string(),
  judge: Judge,
  rubric: Rubric,
  prompt_text: z.string(),
  baseline_fit: BaselineFit.nullable(),
  served_model: z.strictObject({ id: z.string().nullable(), fingerprint: z.string().nullable() }),
  /** True where the answers came from the provider simulator: a suite refuses it unless it says so itself. */
  simulated: z.boolean(),
  label_set: z.strictObject({
    id: Slug,
    version: z.number().int(),
    hash: z.string(),
    annotators: z.number().int(),
    n_dev: z.number().int(),
    n_test: z.number().int(),
    drawn: Drawn,
  }),
  looks_at_test: z.number().int(),
  measured: z.record(Slug, Measured),
  accepted: z.strictObject({
    by: z.string().min(1).max(80),
    at: z.iso.datetime(),
    rule: AcceptRule,
    note: z.string().max(4000),
  }),
  expires: z.iso.date(),
  hash: z.string(),
});
export type Calibration = z.infer<typeof Calibration>;

/** The seal over a calibration: hash of everything but itself. */
export function calibrationHash(calibration: Omit<Calibration, 'hash'> & { hash?: string }): string {
  const { hash: _, ...rest } = calibration;
  return contentHash(rest);
}

/** A calibration that no one has accepted yet, with the reports that it was drawn from. */
export const CalibrationDraft = z.strictObject({
  judge: VersionRef,
  label_set: VersionRef,
  reports: z.array(AgreementReport),
  measured: z.record(Slug, Measured),
  looks_at_test: z.number().int(),
  /** Why it can't be accepted; empty = it can. */
  refusals: z.array(z.string()),
});
export type CalibrationDraft = z.infer<typeof CalibrationDraft>;

/** Why a suite must not rely on a calibration; empty = it may. Fails closed. */
export function calibrationFaults(
  calibration: Calibration,
  judgeHash: string,
  today: string,
  allowSimulated: boolean,
): string[] {
  const faults: string[] = [];
  if (calibration.judge_hash !== judgeHash)
    faults.push(`it was measured for judge hash ${calibration.judge_hash}, the judge now has ${judgeHash}`);
  if (calibrationHash(calibration) !== calibration.hash)
    faults.push('its own hash does not match its content: the file was edited');
  if (calibration.expires < today) faults.push(`it expired on ${calibration.expires}`);
  if (calibration.simulated && !allowSimulated) faults.push('it was measured on simulated answers');
  return faults;
}
