import type { Disagreement } from '../../core/agreement.ts';

/** One cell of a confusion matrix: what people said, what the judge said. */
export interface Cell {
  gold: string;
  verdict: string;
}

/** A walk through the samples on which people and judge differ: all of them, or those of one cell. */
export class Walk {
  all: readonly Disagreement[] = $state.raw([]);
  cell: Cell | null = $state.raw(null);
  /** The sample in sight; null before one is chosen. */
  sample: string | null = $state(null);

  shown = $derived(
    this.all.filter(
      ({ gold, verdict }) => this.cell === null || (gold === this.cell.gold && verdict === this.cell.verdict),
    ),
  );
  chosen = $derived(this.shown.find(({ sample }) => sample === this.sample) ?? null);

  /** Takes up another report; the walk begins anew. */
  open(disagreements: readonly Disagreement[]): void {
    this.all = disagreements;
    this.cell = null;
    this.sample = null;
  }

  /** Shows one cell only; the same cell again: all. */
  filter(cell: Cell): void {
    const same = this.cell?.gold === cell.gold && this.cell.verdict === cell.verdict;
    this.cell = same ? null : cell;
    if (this.chosen === null) this.sample = null;
  }

  /** The next or the previous one; from nowhere, the first. */
  step(by: 1 | -1): void {
    const at = this.shown.findIndex(({ sample }) => sample === this.sample);
    const to = at === -1 ? 0 : Math.min(this.shown.length - 1, Math.max(0, at + by));
    this.sample = this.shown[to]?.sample ?? null;
  }
}
