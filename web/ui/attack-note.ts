import type { AttackFigures } from '../../core/attack.ts';
import { counted, percent, range } from './figures.ts';

/** What of the figures a line shows, as the API sends it. */
type Shown = Pick<AttackFigures, 'pack' | 'samples' | 'success' | 'control'> & {
  unscored: Readonly<Record<string, number | undefined>>;
};

/** What the attack pack came to, in one line. */
export function attackText(figures: Shown | null): string {
  if (figures === null) return 'not tried';
  const { success } = figures;
  return `${percent(success.value)}, ${range(success.ci, percent)}, n=${success.n}; ${attackNote(figures)}`;
}

/** What stands beside the figure. */
export function attackNote({ pack, samples, unscored, control }: Shown): string {
  const without = Object.values(unscored).reduce<number>((sum, n) => sum + (n ?? 0), 0);
  return [
    `pack ${pack} on ${counted(samples, 'sample')}`,
    `${without} unscored`,
    `harmless additions ${percent(control.value)}`,
  ].join(', ');
}
