/** A range of a text, `end` exclusive, in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

export type Unit = 'word' | 'sentence';

/** Walks over a text by words and sentences, as its language breaks them. */
export class Walker {
  readonly text: string;
  readonly #segments: Record<Unit, Intl.Segments>;

  constructor(text: string) {
    this.text = text;
    this.#segments = {
      word: new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text),
      sentence: new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text),
    };
  }

  /** The first word; null where the text has nothing to read. */
  first(): Range | null {
    return this.#readable('word', 0, 1);
  }

  /**
   * The unit after (`by` 1) or before (`by` -1) a range; the range itself at the text's edge. For a sentence, its first
   * word: that is where marking goes on from.
   */
  from(range: Range, unit: Unit, by: 1 | -1): Range {
    if (unit === 'word') return this.#readable('word', by === 1 ? range.end : range.start - 1, by) ?? range;
    const here = this.#segments.sentence.containing(range.start);
    if (here === undefined) return range;
    const next = by === 1 ? here.index + here.segment.length : here.index - 1;
    const sentence = this.#readable('sentence', next, by);
    return sentence === null ? range : (this.#readable('word', sentence.start, 1) ?? range);
  }

  /** The sentence that a range begins in, without the white space around it. */
  sentence(range: Range): Range {
    const here = this.#segments.sentence.containing(range.start);
    return here === undefined ? range : trimmed(here);
  }

  #readable(unit: Unit, at: number, by: 1 | -1): Range | null {
    let place = at;
    while (place >= 0 && place < this.text.length) {
      const found = this.#segments[unit].containing(place);
      if (found === undefined) return null;
      if (unit === 'word' ? found.isWordLike === true : found.segment.trim() !== '') return trimmed(found);
      place = by === 1 ? found.index + found.segment.length : found.index - 1;
    }
    return null;
  }
}

function trimmed({ index, segment }: Intl.SegmentData): Range {
  const start = index + segment.length - segment.trimStart().length;
  return { start, end: Math.max(start, index + segment.trimEnd().length) };
}
