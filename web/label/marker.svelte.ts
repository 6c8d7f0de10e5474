import type { Span } from '../../core/evidence.ts';
import type { SampleContent, SampleField } from '../../core/sample.ts';
import { stepText } from '../../core/trace.ts';
import type { PairOrder } from '../../core/verdict.ts';
import { type Range, type Unit, Walker } from '../text/words.ts';

/** A raw text of a sample that passages can be marked in. */
export interface MarkableText {
  field: SampleField;
  step?: number;
  text: string;
}

/** The texts of a sample in the order in which they stand on the page. */
export function markableTexts(content: SampleContent, side: PairOrder | null): MarkableText[] {
  const texts: MarkableText[] = [{ field: 'input', text: content.input }];
  if (content.context !== undefined) texts.push({ field: 'context', text: content.context });
  if (content.reference !== undefined) texts.push({ field: 'reference', text: content.reference });
  if (content.kind === 'pair') {
    for (const answer of side === 'ba' ? (['b', 'a'] as const) : (['a', 'b'] as const))
      texts.push({ field: answer === 'a' ? 'output_a' : 'output_b', text: content.outputs[answer] });
  }
  if (content.kind === 'trace') {
    content.trace.steps.forEach((step, index) => {
      if (step.type !== 'model') texts.push({ field: 'trace', step: index + 1, text: stepText(step) });
    });
  }
  if (content.kind !== 'pair' && content.output !== undefined)
    texts.push({ field: 'output', text: content.output });
  return texts.filter(({ text }) => text.trim() !== '');
}

/** A passage of a text as a label keeps it. */
export function spanOf({ field, step, text }: MarkableText, { start, end }: Range): Span {
  return { field, ...(step !== undefined && { step }), start, end, quote: text.slice(start, end) };
}

/** Marks a passage by key: walk to a word, grip, walk on, grip again. */
export class Marker {
  readonly texts: readonly MarkableText[];
  index = $state(0);
  /** The word that the keys stand on. */
  word: Range = $state.raw({ start: 0, end: 0 });
  /** The word where the mark began; null before the first grip. */
  anchor: Range | null = $state.raw(null);

  text = $derived.by(() => this.texts[this.index]);
  range: Range = $derived(
    this.anchor === null
      ? this.word
      : {
          start: Math.min(this.anchor.start, this.word.start),
          end: Math.max(this.anchor.end, this.word.end),
        },
  );
  words = $derived(this.text?.text.slice(this.range.start, this.range.end) ?? '');
  #walker = $derived(new Walker(this.text?.text ?? ''));

  /** @param texts at least one; @param first the index of the text to begin in. */
  constructor(texts: readonly MarkableText[], first: number) {
    this.texts = texts;
    this.index = first;
    this.#enter();
  }

  /** Walks on; a mark that grows by sentences first takes whole the one that it stands in. */
  move(unit: Unit, by: 1 | -1): void {
    const to = this.#walker.from(this.word, unit, by);
    if (unit === 'word' || by === -1 || this.anchor === null) {
      this.word = to;
      return;
    }
    const here = this.#walker.sentence(this.word);
    const { end } = this.range.end < here.end ? here : this.#walker.sentence(to);
    this.word = { start: end - 1, end };
  }

  /** Begins the mark; the second time ends it and gives the passage. */
  grip(): Span | null {
    if (this.text === undefined) return null;
    if (this.anchor === null) {
      this.anchor = this.word;
      return null;
    }
    const span = spanOf(this.text, this.range);
    this.anchor = null;
    return span;
  }

  whole(): Span | null {
    return this.text === undefined ? null : spanOf(this.text, { start: 0, end: this.text.text.length });
  }

  otherText(by: 1 | -1): void {
    this.index = (this.index + by + this.texts.length) % this.texts.length;
    this.#enter();
  }

  #enter(): void {
    this.anchor = null;
    this.word = this.#walker.first() ?? { start: 0, end: this.text?.text.length ?? 0 };
  }
}
