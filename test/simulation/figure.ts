/** What a simulation found beside what is stated of it. */
export interface Row {
  name: string;
  design: string;
  /** The share that was counted (coverage, false alarms, power), and of how many replicates. */
  measured: number;
  replicates: number;
  stated: string;
  ok: boolean;
}

/** What the statistics specification says of a share: about a figure, at least, or at most. */
export type Stated =
  | { about: number; samples?: number }
  | { least: number; samples?: number }
  | { most: number };

/** Monte Carlo standard error of a share. */
export function monteCarloError(share: number, replicates: number): number {
  const inside = Math.min(1 - 0.5 / replicates, Math.max(0.5 / replicates, share));
  return Math.sqrt((inside * (1 - inside)) / replicates);
}

/**
 * Compares a measured share with what is stated, allowing three standard errors. A stated figure is itself a simulation
 * of `samples` draws (800 where none is named) printed to two digits, so its error and rounding count too; of a bound
 * from below they count where `samples` says that it is such a figure. Bounds from above are promises.
 */
export function row(name: string, design: string, found: { held: number; of: number }, stated: Stated): Row {
  const measured = found.held / found.of;
  const base = { name, design, measured, replicates: found.of };
  if ('about' in stated) {
    const { about, samples = 800 } = stated;
    const error = Math.hypot(monteCarloError(about, found.of), monteCarloError(about, samples));
    return { ...base, stated: figure(about), ok: Math.abs(measured - about) <= 3 * error + 0.005 };
  }
  if ('least' in stated) {
    const { least, samples } = stated;
    const error = monteCarloError(least, found.of);
    const slack =
      samples === undefined ? 3 * error : 3 * Math.hypot(error, monteCarloError(least, samples)) + 0.005;
    const ok = measured >= least - slack;
    return { ...base, stated: `>= ${figure(stated.least)}`, ok };
  }
  const ok = measured <= stated.most + 3 * monteCarloError(stated.most, found.of);
  return { ...base, stated: `<= ${figure(stated.most)}`, ok };
}

/** One line of the printed table. */
export function line({ name, design, measured, replicates, stated, ok }: Row): string {
  const error = monteCarloError(measured, replicates);
  return [
    name.padEnd(34),
    design.padEnd(48),
    `${figure(measured)} +- ${figure(error)}`.padEnd(15),
    stated.padEnd(9),
    ok ? 'ok' : 'OUTSIDE',
  ].join(' ');
}

function figure(share: number): string {
  return share.toFixed(3).replace(/^0/, '');
}
