import type { AcceptRule, Calibration, CalibrationDraft } from '../core/calibration.ts';
import { Problem } from '../core/problem.ts';
import { agreementReport } from '../harness/calibrate/agreement-report.ts';
import {
  acceptCalibration,
  type DraftInput,
  draftCalibration,
} from '../harness/calibrate/calibration-draft.ts';
import { refusePanel } from '../harness/judge/panel.ts';
import { saveCalibration } from '../harness/workspace/calibrations.ts';
import { type LoadedJudge, loadJudge, publishJudge } from '../harness/workspace/judges.ts';
import { loadLabelSet } from '../harness/workspace/label-sets.ts';
import { attackFiguresOf, criterionOf, judgeRow } from './agreement.ts';
import { baselineFit } from './judge-inputs.ts';
import { judgedItems, labelledSetItems } from './rated-items.ts';
import type { Services } from './services.ts';

export interface DraftOptions {
  judge: string;
  labelSet: string;
  by: string;
  reason: string;
}

export interface AcceptOptions extends DraftOptions {
  rule: AcceptRule;
  note: string;
  /** Date from which suites refuse it, YYYY-MM-DD. */
  expires: string;
}

/** Measures a judge on a label set's test split: one recorded look. */
export function draft(services: Services, options: DraftOptions): CalibrationDraft {
  return draftCalibration(measure(services, options, true).input);
}

/**
 * Accepts what the last draft showed: publishes the judge, writes the calibration file. The figures are drawn again
 * from the store, which is no further look.
 * @throws Problem `no_draft` where nobody has looked, `not_acceptable` where the draft or the rule stands against it.
 */
export function accept(
  services: Services,
  options: AcceptOptions,
): { calibration: Calibration; path: string } {
  const { input, loaded } = measure(services, options, false);
  if (input.looks === 0) {
    throw new Problem(
      'no_draft',
      `nobody has looked at ${options.judge} on the test split of ${options.labelSet} yet`,
      {
        remedy: 'Measure it first; the figures are what you accept.',
        status: 409,
      },
    );
  }
  const { workspace, now } = services;
  const fit = baselineFit(services, loaded, input.header.dataset);
  const calibration = acceptCalibration(
    draftCalibration(input),
    input,
    {
      by: options.by,
      at: now().toISOString(),
      rule: options.rule,
      note: options.note,
      expires: options.expires,
    },
    fit,
    loaded.simulated,
  );
  publishJudge(workspace, options.judge);
  return { calibration, path: saveCalibration(workspace, calibration) };
}

function measure(
  services: Services,
  options: DraftOptions,
  look: boolean,
): { input: DraftInput; loaded: LoadedJudge } {
  const { workspace, store, now } = services;
  const loaded = loadJudge(
    workspace,
    options.judge,
    (id) => store.samples.find(id)?.sample.content_hash ?? null,
  );
  refusePanel(loaded.judge, 'calibrated');
  const set = loadLabelSet(workspace, options.labelSet);
  if (loaded.judge.rubric !== set.header.rubric) {
    throw new Problem(
      'other_rubric',
      `${options.judge} judges by ${loaded.judge.rubric}, ${options.labelSet} was labelled under ${set.header.rubric}`,
      {
        remedy: 'Choose a label set of the same rubric version, or label under that version.',
        status: 409,
      },
    );
  }
  const dataset = store.samples.dataset(set.header.dataset);
  const row = judgeRow(services, dataset.id, options.judge);
  const record = () =>
    store.looks.record({
      labelSet: options.labelSet,
      labelSetHash: set.header.hash,
      judge: options.judge,
      judgeHash: loaded.hash,
      reason: options.reason,
      by: options.by,
      at: now().toISOString(),
    });
  const looks = look
    ? store.write(record)
    : store.looks.countOf(set.header.hash, loaded.hash) === 0
      ? 0
      : store.looks.count(set.header.hash);
  const served = new Map<string, { id: string | null; fingerprint: string | null }>();
  const reports = loaded.judge.criteria.map((id) => {
    const criterion = criterionOf(loaded.rubric, id);
    const query = { dataset: dataset.id, criterion, where: {} };
    if (row !== null) {
      for (const { served_model, fingerprint } of store.verdicts.standing(dataset.id, row.id, id)) {
        served.set(served_model ?? '', { id: served_model, fingerprint });
      }
    }
    return agreementReport(
      judgedItems(store, labelledSetItems(store, set, 'test', query), row?.id ?? null, query),
      criterion,
      {
        members: null,
        dataset: dataset.name,
        label_set: options.labelSet,
        split: 'test',
        rubric: set.header.rubric,
        judge: options.judge,
        judge_hash: loaded.hash,
        simulated: loaded.simulated,
        where: {},
        looks_at_test: looks,
        attack_pack: attackFiguresOf(store, loaded.hash, id),
      },
    );
  });
  return {
    input: { resolved: loaded, header: set.header, reports, looks, served: [...served.values()] },
    loaded,
  };
}
