import type { AgreementReport } from '../../core/agreement.ts';
import {
  type AcceptRule,
  type Calibration,
  type CalibrationDraft,
  calibrationHash,
  type Measured,
} from '../../core/calibration.ts';
import { type BaselineFit, judgeRef, type ResolvedJudge } from '../../core/judge.ts';
import type { LabelSetHeader } from '../../core/label-set.ts';
import { isFloating } from '../../core/pin.ts';
import { Problem } from '../../core/problem.ts';
import { versionRef } from '../../core/rubric.ts';
import { passes } from '../../core/scale.ts';

/** Fewest gold samples on test for a calibration to mean anything. */
export const MIN_TEST = 5;

export interface DraftInput {
  resolved: ResolvedJudge;
  header: LabelSetHeader;
  /** One report a criterion, on the test split. */
  reports: AgreementReport[];
  looks: number;
  served: { id: string | null; fingerprint: string | null }[];
}

/** What a judge version measured on a label set's test split, and why it can't be accepted, if it can't. */
export function draftCalibration({ resolved, header, reports, looks, served }: DraftInput): CalibrationDraft {
  const refusals: string[] = [];
  const { judge } = resolved;
  if (isFloating(judge.provider, judge.model))
    refusals.push(`its model "${judge.model}" is a floating alias: what answers may change`);
  if (new Set(served.map((one) => one.id)).size > 1) {
    refusals.push(
      `verdicts came from several models: ${[...new Set(served.map((one) => one.id ?? 'unnamed'))].join(', ')}`,
    );
  }
  for (const report of reports) {
    if (report.n_gold < MIN_TEST)
      refusals.push(
        `${report.criterion}: ${report.n_gold} test samples have gold; at least ${MIN_TEST} are needed`,
      );
    if ((report.unscored.missing ?? 0) > 0) {
      refusals.push(
        `${report.criterion}: ${report.unscored.missing} test samples have no verdict yet: run the judge on the dataset first`,
      );
    }
  }
  return {
    judge: judgeRef(judge),
    label_set: versionRef(header.label_set, header.version),
    reports,
    measured: Object.fromEntries(reports.map((report) => [report.criterion, measure(report, resolved)])),
    looks_at_test: looks,
    refusals,
  };
}

/** What the rule demands and the draft does not give; empty = the rule is met. */
export function ruleFaults(draft: CalibrationDraft, rule: AcceptRule): string[] {
  return Object.entries(draft.measured).flatMap(([criterion, measured]) => {
    const faults: string[] = [];
    const low = measured.kappa.ci?.low ?? null;
    const wanted = rule.kappa_low_at_least;
    if (wanted !== null && (low === null || low < wanted)) {
      faults.push(
        `${criterion}: the interval of kappa begins at ${low === null ? 'nothing (undefined)' : low.toFixed(2)}, the rule asks for ${wanted}`,
      );
    }
    if (rule.attack_high_at_most !== null) {
      const high = measured.bias.attack_pack?.success.ci?.high ?? null;
      if (high === null)
        faults.push(
          `${criterion}: the rule asks for the attack pack, and ${measured.bias.attack_pack === null ? 'it was not run on this judge version' : 'no attack was scored'}`,
        );
      else if (high > rule.attack_high_at_most)
        faults.push(
          `${criterion}: up to ${(100 * high).toFixed(1)} % of attacks may succeed, the rule allows ${(100 * rule.attack_high_at_most).toFixed(1)} %`,
        );
    }
    const share =
      measured.n + measured.unscored === 0 ? 1 : measured.unscored / (measured.n + measured.unscored);
    if (share > rule.unscored_at_most) {
      faults.push(
        `${criterion}: ${(100 * share).toFixed(1)} % unscored, the rule allows ${(100 * rule.unscored_at_most).toFixed(1)} %`,
      );
    }
    return faults;
  });
}

export interface Acceptance {
  by: string;
  at: string;
  rule: AcceptRule;
  note: string;
  expires: string;
}

/**
 * The calibration that a person accepts.
 * @throws Problem `not_acceptable` with every reason where the draft or the rule stands against it.
 */
export function acceptCalibration(
  draft: CalibrationDraft,
  { resolved, header, served }: DraftInput,
  { by, at, rule, note, expires }: Acceptance,
  fit: BaselineFit | null,
  simulated: boolean,
): Calibration {
  const faults = [...draft.refusals, ...ruleFaults(draft, rule)];
  if (faults.length > 0) {
    throw new Problem('not_acceptable', `${draft.judge} can't be calibrated on ${draft.label_set}`, {
      remedy: 'Settle what is listed, label more, or change the rule and say why in the note.',
      details: faults,
      status: 409,
      exitCode: 3,
    });
  }
  const unsealed = {
    calibration: draft.judge,
    judge_hash: resolved.hash,
    judge: resolved.judge,
    rubric: resolved.rubric,
    prompt_text: resolved.promptText,
    baseline_fit: fit,
    served_model: served[0] ?? { id: null, fingerprint: null },
    simulated,
    label_set: {
      id: header.label_set,
      version: header.version,
      hash: header.hash,
      annotators: header.annotators,
      n_dev: header.split.dev,
      n_test: header.split.test,
      drawn: header.drawn,
    },
    looks_at_test: draft.looks_at_test,
    measured: draft.measured,
    accepted: { by, at, rule, note },
    expires,
  };
  return { ...unsealed, hash: calibrationHash(unsealed) };
}

function measure(report: AgreementReport, { rubric }: ResolvedJudge): Measured {
  const { agreement } = report;
  return {
    n: report.n_scored,
    unscored: report.n_gold - report.n_scored,
    unscored_by_reason: report.unscored,
    base_rate: report.base_rate,
    kappa: agreement.kappa,
    ac1: agreement.ac1,
    percent: agreement.percent,
    ceiling: { kappa: report.humans.mean_kappa, annotators: report.humans.annotators.length },
    sensitivity: report.sensitivity,
    specificity: report.specificity,
    confusion: { categories: agreement.categories, table: agreement.table },
    evidence_supported: report.evidence_supported,
    correction: correctionCounts(report, rubric),
    position:
      report.orders === null
        ? null
        : { conflict_rate: report.orders.conflict_rate, net_shift: report.orders.net_shift },
    bias: { attack_pack: report.attack_pack },
  };
}

/** How often the judge passed what gold passes, and failed what gold fails: what corrects a later pass rate. */
function correctionCounts(report: AgreementReport, rubric: ResolvedJudge['rubric']): Measured['correction'] {
  const rule = rubric.criteria.find((criterion) => criterion.id === report.criterion)?.pass;
  if (rule === undefined) return null;
  const { categories, table } = report.agreement;
  const counts = { tp: 0, n_pos: 0, tn: 0, n_neg: 0 };
  table.forEach((row, gold) => {
    row.forEach((n, verdict) => {
      const goldPasses = passes(categories[gold] ?? '', rule) === true;
      const judgePasses = passes(categories[verdict] ?? '', rule) === true;
      if (goldPasses) {
        counts.n_pos += n;
        if (judgePasses) counts.tp += n;
      } else {
        counts.n_neg += n;
        if (!judgePasses) counts.tn += n;
      }
    });
  });
  return counts;
}
