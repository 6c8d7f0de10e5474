import type { SuiteReport } from '../../core/gate.ts';
import { type Figure, meanFigure, percent, rateFigure } from './figure.ts';

/** The figures of a suite's report in the order in which every report shows them. */
export function suiteFigures(report: SuiteReport): Figure[] {
  return [
    rateFigure('pass rate', report.pass_rate),
    ...report.pass_hat_k.filter(({ k }) => k > 1).map(({ k, stat }) => rateFigure(`pass^${k}`, stat)),
    harmFigure(report),
    meanFigure('steps', report.mean_steps, 1, ''),
    meanFigure('cost, as reported', report.mean_cost_usd, 4, ' USD'),
  ];
}

function harmFigure({ harms, harm_rate }: SuiteReport): Figure {
  const { ci, n } = harm_rate;
  const interval = ci === null ? '' : `${percent(ci.low)} to ${percent(ci.high)} of trials`;
  return {
    name: 'harms',
    value: String(harms),
    interval: harms === 0 && ci !== null ? `up to ${percent(ci.high)} of trials` : interval,
    n: harms === 0 ? `${n} trials` : `${n} tasks`,
  };
}

/** Why trials of a task did not pass, each reason once with the numbers of its trials. */
export interface ReasonGroup {
  outcome: string;
  reason: string;
  trials: number[];
}

/** Reasons by task, tasks in the suite's order; tasks whose trials all passed are not among them. */
export function reasonsByTask(report: SuiteReport): { task: string; reasons: ReasonGroup[] }[] {
  return report.tasks.flatMap(({ task }) => {
    const groups = new Map<string, ReasonGroup>();
    for (const trial of report.trials.filter((one) => one.task === task && one.outcome !== 'passed')) {
      for (const reason of trial.reasons) {
        const key = `${trial.outcome}\n${reason}`;
        const group = groups.get(key) ?? { outcome: trial.outcome, reason, trials: [] };
        group.trials.push(trial.trial);
        groups.set(key, group);
      }
    }
    return groups.size === 0 ? [] : [{ task, reasons: [...groups.values()] }];
  });
}
