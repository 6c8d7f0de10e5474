import { PARSER_VERSION, type ResolvedJudge } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { SampleContent } from '../../core/sample.ts';
import { readAsset } from '../asset.ts';
import { type Ask, firstAnswer, offeredValues, shownValue } from './ask.ts';
import { sampleText, showSample } from './blocks.ts';
import type { FewShot } from './few-shot.ts';
import { fillTemplate, placeholders } from './template.ts';

/** A prompt whose part that all samples share is ready. */
export interface Prompt {
  /** What stands before the first line `---` of the template: the same for every sample, so that providers cache it. */
  system: string;
  /** The rest, before a sample is in it. */
  frame: string;
  /** The rest, with one sample in it. */
  user(content: SampleContent): string;
}

/** A line that parts what all samples share from what holds the sample. */
const DIVIDER = /^---[ \t]*$/m;

/**
 * Prepares a judge's prompt for one ask.
 * @param nonce gives 16 hex digits that nobody can foresee; drawn again where the sample happens to contain them.
 * @throws Problem where the template has an unknown placeholder or never shows the sample.
 */
export function preparePrompt(
  resolved: ResolvedJudge,
  ask: Ask,
  examples: readonly FewShot[],
  nonce: () => string,
): Prompt {
  const { promptText, rubric, judge } = resolved;
  const { before, after } = divide(promptText);
  if (!placeholders(after).has('sample')) {
    throw new Problem('prompt_without_sample', `the prompt of judge ${judge.judge} never shows the sample`, {
      remedy: 'Put {{sample}} where the work to grade shall stand, below the line --- where there is one.',
    });
  }
  const parts = {
    task: rubric.task,
    guidelines: rubric.guidelines || '(none)',
    criteria: ask.criteria.map((criterion) => showCriterion(ask, criterion)).join('\n\n'),
    examples: showExamples(ask, examples) || '(none)',
    reply_format: replyFormat(resolved),
    restatement: ask.criteria.map((criterion) => restate(ask, criterion)).join('\n'),
  };
  return {
    system: fillTemplate(before, parts).trim(),
    frame: fillTemplate(after, { ...parts, sample: '{{sample}}', nonce: '{{nonce}}' }),
    user: (content) => {
      const mark = freshMark(content, nonce);
      return fillTemplate(after, {
        ...parts,
        sample: showSample(content, ask.order, mark),
        nonce: mark,
      }).trim();
    },
  };
}

/** What a judge is told after quotes that do not hold. */
export function reaskText(faults: readonly string[]): string {
  return fillTemplate(readAsset(`harness/judge/prompts/reask.v${PARSER_VERSION}.md`), {
    faults: faults.map((fault) => `- ${fault}`).join('\n'),
  }).trim();
}

function divide(template: string): { before: string; after: string } {
  const divider = DIVIDER.exec(template);
  if (divider === null) return { before: '', after: template };
  return {
    before: template.slice(0, divider.index),
    after: template.slice(divider.index + divider[0].length),
  };
}

function replyFormat({ judge }: ResolvedJudge): string {
  const form = judge.output === 'text' ? 'text' : 'structured';
  return fillTemplate(readAsset(`harness/judge/prompts/reply-${form}.v${PARSER_VERSION}.md`), {
    max_quotes: String(judge.evidence.max_quotes),
    min_chars: String(judge.evidence.min_chars),
  }).trim();
}

function showCriterion(ask: Ask, criterion: Criterion): string {
  const levels = criterion.levels.map(({ value, name, anchor }) => {
    const shown = shownValue(ask, criterion, value);
    return `- ${shown}${name === undefined ? '' : ` (${name})`}${anchor === undefined ? '' : `: ${anchor}`}`;
  });
  const [one, two] = firstAnswer(ask.order) === 'a' ? ['A', 'B'] : ['B', 'A'];
  return [
    `## Criterion ${criterion.id}`,
    criterion.question,
    ...(criterion.scale === 'pairwise'
      ? [`Where the rubric speaks of A and B: ${one} is Response 1, ${two} is Response 2.`]
      : []),
    'Values:',
    ...levels,
    ...(criterion.not_applicable === undefined ? [] : [`- not_applicable: ${criterion.not_applicable}`]),
    '- cannot_tell',
    `Quotes: ${criterion.evidence.required ? 'required' : 'welcome'}, from ${[...ask.fields.keys()].join(', ')}.`,
  ].join('\n');
}

function restate(ask: Ask, criterion: Criterion): string {
  return `${criterion.id}: ${criterion.question.replace(/\s+/g, ' ')} One of: ${[...offeredValues(ask, criterion).keys()].join(', ')}.`;
}

/** Few-shots carry marks of their own content, the same in every call. */
function showExamples(ask: Ask, examples: readonly FewShot[]): string {
  return examples
    .flatMap(({ sample, values }, index) => {
      const shown = ask.criteria.flatMap((criterion) => {
        const value = values[criterion.id];
        return value === undefined || !criterion.examples.includes(sample.id)
          ? []
          : [`${criterion.id}: ${shownValue(ask, criterion, value)}`];
      });
      if (shown.length === 0) return [];
      const mark = `example-${index + 1}-${sample.content_hash.slice(-8)}`;
      return [`${showSample(sample.content, ask.order, mark)}\n\nCorrect values: ${shown.join(', ')}`];
    })
    .join('\n\n');
}

function freshMark(content: SampleContent, nonce: () => string): string {
  const text = sampleText(content);
  let mark = nonce();
  while (text.includes(mark)) mark = nonce();
  return mark;
}
