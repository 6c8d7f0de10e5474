import { fieldText, type SampleContent } from '../../core/sample.ts';
import { stepText } from '../../core/trace.ts';
import type { PairOrder } from '../../core/verdict.ts';
import { firstAnswer } from './ask.ts';

/** One part of a sample as the model sees it. */
interface Block {
  name: string;
  /** Said before the block. */
  note: string;
  text: string;
}

/** Shows a sample, each part between a BEGIN and an END line that carry the mark. */
export function showSample(content: SampleContent, order: PairOrder | null, mark: string): string {
  return blocksOf(content, order)
    .map(({ name, note, text }) => {
      const empty = text === '' ? `${note} It is empty.` : note;
      return `${empty.trim()}\n[BEGIN ${name} ${mark}]\n${text}\n[END ${name} ${mark}]`.trim();
    })
    .join('\n\n');
}

/** Every text of a sample, to be searched for a mark that may not occur in it. */
export function sampleText(content: SampleContent): string {
  return blocksOf(content, null)
    .map((block) => block.text)
    .join('\n');
}

function blocksOf(content: SampleContent, order: PairOrder | null): Block[] {
  const shared = (['input', 'context', 'reference'] as const).flatMap((field) => {
    const text = fieldText(content, field);
    return text === null ? [] : [{ name: field.toUpperCase(), note: '', text }];
  });
  return [...shared, ...gradedBlocks(content, order)];
}

function gradedBlocks(content: SampleContent, order: PairOrder | null): Block[] {
  switch (content.kind) {
    case 'single':
      return [{ name: 'OUTPUT', note: '', text: content.output }];
    case 'pair': {
      const first = firstAnswer(order);
      return [first, first === 'a' ? ('b' as const) : ('a' as const)].map((answer, index) => ({
        name: `RESPONSE ${index + 1}`,
        note: '',
        text: content.outputs[answer],
      }));
    }
    case 'trace':
      return [
        ...traceBlocks(content),
        ...(content.output === undefined ? [] : [{ name: 'OUTPUT', note: '', text: content.output }]),
      ];
  }
}

/** Steps by their number. Model calls are left out: their text is the model's name, which no judge may see. */
function traceBlocks(content: Extract<SampleContent, { kind: 'trace' }>): Block[] {
  return content.trace.steps.flatMap((step, index) => {
    if (step.type === 'model') return [];
    const who = step.type === 'tool' ? 'tool call' : `${step.role} message`;
    return [{ name: `STEP ${index + 1}`, note: `Step ${index + 1}, ${who}.`, text: stepText(step) }];
  });
}
