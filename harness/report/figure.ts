import type { SuiteRate } from '../../core/gate.ts';
import type { Stat } from '../../core/stats/stat.ts';

/** A figure in the three parts that always stand together; a figure that does not exist says why. */
export interface Figure {
  name: string;
  value: string;
  interval: string;
  n: string;
}

/** A rate over tasks in percent, with its interval and both denominators. */
export function rateFigure(name: string, rate: SuiteRate): Figure {
  const left = rate.nMissing === 0 ? '' : `, ${rate.nMissing} left out`;
  return {
    name,
    value: rate.value === null ? absent(rate) : percent(rate.value),
    interval: rate.ci === null ? '' : `${percent(rate.ci.low)} to ${percent(rate.ci.high)}`,
    n: `${rate.n} tasks, ${rate.trials} trials${left}`,
  };
}

/** A mean over trials with its interval by task. @param digits decimal places; @param unit stands after the value. */
export function meanFigure(name: string, mean: Stat, digits: number, unit: string): Figure {
  const number = (value: number) => `${value.toFixed(digits)}${unit}`;
  const left = mean.nMissing === 0 ? '' : `, ${mean.nMissing} left out`;
  return {
    name,
    value: mean.value === null ? absent(mean) : number(mean.value),
    interval: mean.ci === null ? '' : `${number(mean.ci.low)} to ${number(mean.ci.high)}`,
    n: `${mean.n} trials${left}`,
  };
}

/** A share in percent with one decimal. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

const REASONS: Partial<Record<NonNullable<Stat['reason']>, string>> = {
  EMPTY: 'none to count',
  K_EXCEEDS_TRIALS: 'too few trials',
  TOO_FEW_TASKS: 'too few tasks',
};

function absent({ reason }: Stat): string {
  return `none (${reason === undefined ? 'not defined' : (REASONS[reason] ?? reason)})`;
}
