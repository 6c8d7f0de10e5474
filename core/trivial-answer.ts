import type { SampleContent } from './sample.ts';

/** Openings without anything after them that have made judges grade a void as right. */
const OPENINGS: ReadonlySet<string> = new Set([
  'solution',
  'the solution',
  'solution process',
  'answer',
  'the answer',
  'final answer',
  'thought',
  'thoughts',
  'thought process',
  'reasoning',
  'reasoning process',
  'step by step',
  "let's think step by step",
  "let's solve this step by step",
  "let's solve this problem step by step",
  'let us think step by step',
  'let us solve this problem step by step',
  '解',
  '解答',
  'かいせつ',
  'respuesta',
  'solución',
  'lösung',
]);

/**
 * Why a sample's answer is no answer at all: empty, nothing but marks, an opening such as "Solution:" and nothing after
 * it, or a copy of what was asked. Null where there is something to judge; of a pair, where either side has something.
 * @param asked the texts that an answer may not merely repeat, such as the rubric's task.
 */
export function trivialAnswer(content: SampleContent, asked: readonly string[]): string | null {
  switch (content.kind) {
    case 'single':
      return triviality(content.output, asked);
    case 'pair': {
      const [a, b] = [content.outputs.a, content.outputs.b].map((output) => triviality(output, asked));
      return a && b ? `both answers are void: a ${a}, b ${b}` : null;
    }
    // What was done stands in the steps.
    case 'trace':
      return null;
  }
}

const MARKS_ONLY = /^[\p{P}\p{Z}\p{C}\s]*$/u;

function triviality(output: string, asked: readonly string[]): string | null {
  if (output.trim() === '') return 'is empty';
  if (MARKS_ONLY.test(output)) return 'holds no word';
  const words = bare(output);
  if (OPENINGS.has(words)) return `holds nothing but "${output.trim().slice(0, 60)}"`;
  return asked.some((text) => text !== '' && bare(text) === words) ? 'repeats what was asked' : null;
}

/** Without the case, the emphasis and the stops in which an opening may come. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .replace(/^[\s\p{P}>`]+|[\s\p{P}>`]+$/gu, '');
}
