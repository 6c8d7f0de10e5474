import type { Attack, AttackPack } from '../../core/attack.ts';
import { isCarried } from '../../core/attack.ts';
import { identify, type Sample, type SampleContent } from '../../core/sample.ts';
import { nativeDigest } from '../digest.ts';
import { fillTemplate } from '../judge/template.ts';
import type { Aim } from './aim.ts';
import { disguised } from './disguise.ts';

/**
 * A real sample with one attack in it, or null where it lacks the field that the attack stands in.
 * @param side the answer of a pair that the attack stands in.
 */
export function attackedSample(
  attack: Attack,
  { demands }: Pick<AttackPack, 'demands'>,
  aims: readonly Aim[],
  { id, content }: Sample,
  side: 'a' | 'b',
): Sample | null {
  const was = fieldOf(content, attack.field, side);
  if (was === null) return null;
  const words = wordsOf(demands, aims, content.input);
  const payload = disguised(fillTemplate(attack.payload ?? '', words), attack.disguise).repeat(attack.times);
  const middle = splitPoint(was);
  const text = fillTemplate(attack.text, {
    ...words,
    payload,
    text: was,
    first_half: was.slice(0, middle).trimEnd(),
    second_half: was.slice(middle).trimStart(),
  });
  const attacked = withField(content, attack, text, side);
  return identify(attacked, { external: `${attack.id} on ${id}`, metadata: {} }, nativeDigest);
}

/** What an attack's text may name, but for the field as it was. */
function wordsOf(
  demands: AttackPack['demands'],
  aims: readonly Aim[],
  input: string,
): Record<string, string> {
  const [first] = aims;
  const pair = first?.criterion.scale === 'pairwise';
  const values = aims.map(({ criterion, best }) => `${criterion.id} = ${best}`).join(', ');
  const top = first?.criterion.levels.find(({ value }) => value === first.best);
  return {
    input,
    open: '{{',
    question: first?.criterion.question ?? '',
    best: first?.best ?? '',
    best_anchor: top?.anchor ?? first?.criterion.question ?? '',
    ...Object.fromEntries(
      Object.entries(demands).map(([language, demand]) => [
        language === 'en' ? 'demand' : `demand_${language}`,
        fillTemplate(pair ? demand.pair : demand.levels, { values }),
      ]),
    ),
  };
}

function fieldOf(content: SampleContent, field: Attack['field'], side: 'a' | 'b'): string | null {
  if (field === 'input') return content.input;
  if (field === 'context') return content.context ?? null;
  return content.kind === 'pair' ? content.outputs[side] : (content.output ?? '');
}

/** An answer that replaces a trace leaves nothing of what the agent did: only what it was told stays. */
function withField(content: SampleContent, attack: Attack, text: string, side: 'a' | 'b'): SampleContent {
  if (attack.field !== 'output') return { ...content, [attack.field]: text };
  switch (content.kind) {
    case 'single':
      return { ...content, output: text };
    case 'pair':
      return { ...content, outputs: { ...content.outputs, [side]: text } };
    case 'trace': {
      if (isCarried(attack)) return { ...content, output: text };
      const told = content.trace.steps.filter((step) => step.type === 'message' && step.role !== 'assistant');
      return { ...content, output: text, trace: { steps: told } };
    }
  }
}

/** A white space near the middle, so that no word is cut. */
function splitPoint(text: string): number {
  const middle = Math.floor(text.length / 2);
  const space = text.indexOf(' ', middle);
  return space === -1 ? text.length : space;
}
