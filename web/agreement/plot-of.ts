import type { AgreementReport } from '../../core/agreement.ts';
import type { PlotLine, PlotRow } from '../ui/plot.ts';

/** The lines of a report's plot: the judge's kappas, the judge against each person, people among themselves. */
export function plotOf(
  { agreement, per_annotator, humans }: AgreementReport,
  threshold: number | null,
): { rows: PlotRow[]; lines: PlotLine[] } {
  const { kappa, kappas, ac1 } = agreement;
  const named = (weights: string) => (kappas.length > 1 ? `κ ${weights}` : 'κ');
  const rows: PlotRow[] = [
    { ...kappa, name: named(kappa.weights), kind: 'judge' },
    ...kappas
      .filter(({ weights }) => weights !== kappa.weights)
      .map((one): PlotRow => ({ ...one, name: named(one.weights), kind: 'other' })),
    { ...ac1, name: 'AC1', kind: 'other' },
  ];
  if (humans.annotators.length > 1) {
    for (const one of per_annotator)
      rows.push({ ...one.kappa, name: `κ judge – ${one.annotator}`, kind: 'judge' });
    for (const pair of humans.pairs)
      rows.push({ ...pair.agreement.kappa, name: `κ ${pair.one} – ${pair.other}`, kind: 'human' });
  }
  const lines: PlotLine[] = [];
  if (humans.mean_kappa !== null)
    lines.push({ name: 'people among themselves', at: humans.mean_kappa, kind: 'human' });
  if (threshold !== null) lines.push({ name: 'threshold', at: threshold, kind: 'threshold' });
  return { rows, lines };
}
