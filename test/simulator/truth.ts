import { createHash } from 'node:crypto';
import type { Draw } from './draw.ts';
import type { Seen, SeenQuestion } from './seen.ts';

/** The right value of a question, as the prompt offers it, or undefined where it is not known. */
export type Truth = (seen: Seen, question: SeenQuestion) => string | undefined;

/** One known value: of an output on a criterion (or on any), or of a pair of outputs. */
export type KnownValue = { criterion?: string; value: string } & (
  | { output: string }
  | { a: string; b: string }
);

/** Truth from a table, found by the hash of what is graded. Values of pairs are a, b or tie. */
export function truthTable(entries: Iterable<KnownValue>): Truth {
  const values = new Map<string, string>();
  for (const entry of entries) {
    const criterion = entry.criterion ?? '*';
    if ('output' in entry) values.set(keyOf(criterion, [entry.output]), entry.value);
    else {
      values.set(keyOf(criterion, [entry.a, entry.b]), slot(entry.value, 'a'));
      values.set(keyOf(criterion, [entry.b, entry.a]), slot(entry.value, 'b'));
    }
  }
  return (seen, { criterion }) => {
    const graded = gradedTexts(seen);
    return values.get(keyOf(criterion, graded)) ?? values.get(keyOf('*', graded));
  };
}

/** A truth for any workspace: drawn from the seed and the text, for pairs by a hidden strength of each answer. */
export function drawnTruth(draw: Draw): Truth {
  return (seen, { criterion, levels }) => {
    const [one = '', two] = gradedTexts(seen);
    if (two === undefined) return levels[Math.floor(draw('truth', criterion, one) * levels.length)];
    const lead = draw('strength', criterion, one) - draw('strength', criterion, two);
    if (Math.abs(lead) < 0.05) return 'tie';
    return lead > 0 ? 'response_1' : 'response_2';
  };
}

/** What is graded: the output, or both responses in the order in which they stand; of a trace its steps too. */
export function gradedTexts({ parts }: Seen): string[] {
  const pair = [parts.get('RESPONSE 1'), parts.get('RESPONSE 2')];
  const found = pair.flatMap((text) => (text === undefined ? [] : [text]));
  if (found.length === 2) return found;
  const output = parts.get('OUTPUT');
  const steps = [...parts].flatMap(([name, text]) => (name.startsWith('STEP ') ? [text] : []));
  return steps.length > 0 ? [[...steps, output ?? ''].join('\n')] : [output ?? ''];
}

function slot(value: string, first: 'a' | 'b'): string {
  if (value === 'tie') return value;
  return value === first ? 'response_1' : 'response_2';
}

function keyOf(criterion: string, texts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([criterion, ...texts]))
    .digest('hex');
}
