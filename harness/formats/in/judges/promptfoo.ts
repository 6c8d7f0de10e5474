import type { ForeignJudge, KeyPath, Loss } from '../../foreign-judge.ts';
import {
  GRADED,
  type PromptfooAssertion,
  PromptfooConfig,
  type PromptfooProvider,
  type PromptfooTest,
  PromptfooTests,
} from '../../shape/promptfoo.ts';
import { hasKeys, isRecord, type JudgeFormat } from './judge-format.ts';
import { foreignModel } from './model-name.ts';
import { choiceScale, yesNo } from './scales.ts';
import { unread } from './unread.ts';
import { inOurWords } from './wording.ts';

/** promptfoo: the assertions of a config or of a tests file that ask a model. */
export const promptfoo: JudgeFormat = {
  name: 'promptfoo',
  sniff: (source) =>
    source.kind === 'document' &&
    (Array.isArray(source.value)
      ? source.value.some((test) => hasKeys(test, 'assert'))
      : hasKeys(source.value, 'tests') ||
        (hasKeys(source.value, 'defaultTest') && isRecord(source.value.defaultTest))),
  read: (source) => {
    if (source.kind !== 'document') return [];
    if (Array.isArray(source.value)) return readTests(source.as(PromptfooTests), [], {});
    const config: PromptfooConfig = source.as(PromptfooConfig);
    const shared = typeof config.defaultTest === 'object' ? config.defaultTest : {};
    const losses: Loss[] = Object.keys(config)
      .filter((key) => !['defaultTest', 'tests'].includes(key))
      .map((key) => ({ at: [key], why: 'belongs to the run of promptfoo, not to how an answer is judged' }));
    for (const key of ['defaultTest', 'tests'] as const) {
      if (typeof config[key] === 'string')
        losses.push({ at: [key], why: `other files are not opened: import ${config[key]} by itself` });
    }
    const judges = [
      ...readTest(shared, ['defaultTest'], shared),
      ...(Array.isArray(config.tests) ? readTests(config.tests, ['tests'], shared) : []),
    ];
    return judges.map((judge, index) =>
      index === 0 ? { ...judge, losses: [...losses, ...judge.losses] } : judge,
    );
  },
};

function readTests(tests: (string | PromptfooTest)[], at: KeyPath, shared: PromptfooTest): ForeignJudge[] {
  const judges = tests.flatMap((test, index) =>
    typeof test === 'string' ? [] : readTest(test, [...at, index], shared),
  );
  const first = new Map<string, ForeignJudge>();
  for (const judge of judges) {
    const key = JSON.stringify([judge.question, judge.scale, judge.model?.text, judge.guidelines]);
    const known = first.get(key);
    if (known === undefined) first.set(key, judge);
    else known.losses.push(...judge.losses.filter(({ at: [, , part] }) => part !== 'vars'));
  }
  return [...first.values()];
}

function readTest(test: PromptfooTest, at: KeyPath, shared: PromptfooTest): ForeignJudge[] {
  const judges = readAssertions(test.assert ?? [], [...at, 'assert'], { test, at, shared });
  if (at[0] === 'defaultTest' || judges.length === 0) return judges;
  const [first] = judges;
  first?.losses.push({
    at: [...at, 'assert'],
    why: 'stood in this test alone; here the question is asked of every sample: say in not_applicable when it does not apply',
  });
  return judges;
}

interface Scope {
  test: PromptfooTest;
  at: KeyPath;
  shared: PromptfooTest;
}

function readAssertions(assertions: PromptfooAssertion[], at: KeyPath, scope: Scope): ForeignJudge[] {
  const judges: ForeignJudge[] = [];
  const losses: Loss[] = [];
  assertions.forEach((assertion, index) => {
    const here = [...at, index];
    const inner = assertion.assert ?? [];
    if (inner.length > 0) {
      if (assertion.threshold !== undefined)
        losses.push({
          at: [...here, 'threshold'],
          why: 'a cut over several assertions: set a suite’s gate instead',
        });
      judges.push(...readAssertions(inner, [...here, 'assert'], scope));
    } else if (GRADED.includes(assertion.type.replace(/^not-/, ''))) {
      judges.push(toJudge(assertion, here, scope));
    } else {
      losses.push({
        at: here,
        why: `${assertion.type} is no judge that we read: what code can check belongs in a suite’s task`,
      });
    }
  });
  const [first] = judges;
  first?.losses.push(...losses);
  return judges;
}

const KNOWN = ['type', 'value', 'threshold', 'weight', 'metric', 'provider', 'rubricPrompt'];

function toJudge(
  assertion: PromptfooAssertion,
  at: KeyPath,
  { test, at: testAt, shared }: Scope,
): ForeignJudge {
  const value = typeof assertion.value === 'string' ? assertion.value.trim() : '';
  const worded = inOurWords(value, [...at, 'value'], 'mustache', { output: 'output' });
  const pair = assertion.type.endsWith('select-best');
  const negated = assertion.type.startsWith('not-');
  const losses = [...worded.losses, ...unread(assertion, KNOWN, at)];
  if (assertion.threshold !== undefined && assertion.threshold !== 1) {
    losses.push({
      at: [...at, 'threshold'],
      why: `scores between 0 and 1 have no anchors, so a cut at ${assertion.threshold} has no meaning: the draft asks ${pair ? 'which is better' : 'yes or no'}`,
    });
  }
  if (pair)
    losses.push({ at: [...at, 'type'], why: 'select-best picks one of many; ours compares two at a time' });
  const prompts = [
    { value: assertion.rubricPrompt, at: [...at, 'rubricPrompt'] },
    { value: test.options?.rubricPrompt, at: [...testAt, 'options', 'rubricPrompt'] },
    { value: shared.options?.rubricPrompt, at: ['defaultTest', 'options', 'rubricPrompt'] },
  ];
  const guidelines = readPrompt(
    prompts.find((prompt) => prompt.value !== undefined),
    losses,
  );
  const providers = [
    { value: assertion.provider, at: [...at, 'provider'] },
    { value: test.options?.provider, at: [...testAt, 'options', 'provider'] },
    { value: shared.options?.provider, at: ['defaultTest', 'options', 'provider'] },
  ];
  const provider = providers.find((one) => one.value !== undefined);
  return {
    name: assertion.metric ?? value,
    question: pair ? `Which is better by this: ${worded.text}` : `Does the output meet this: ${worded.text}`,
    scale: pair
      ? { ...choiceScale(['a', 'b', 'tie'], [], ''), scale: 'pairwise' }
      : yesNo(negated ? 'no' : 'yes'),
    ...(assertion.weight !== undefined && { weight: assertion.weight }),
    evidence: ['output'],
    guidelines,
    ...readProvider(provider?.value, provider?.at ?? at, losses),
    losses,
  };
}

function readPrompt(prompt: { value?: unknown; at: KeyPath } | undefined, losses: Loss[]): string {
  if (prompt?.value === undefined || prompt.value === null) return '';
  const text = typeof prompt.value === 'string' ? prompt.value : JSON.stringify(prompt.value, null, 2);
  if (text.startsWith('file://') || text.length > 18_000) {
    const why = text.startsWith('file://')
      ? `other files are not opened: put the text of ${text}`
      : 'longer than 18000 characters: put what matters';
    losses.push({ at: prompt.at, why: `${why} into guidelines` });
    return '';
  }
  losses.push({ at: prompt.at, why: 'its text became guidelines; the reply that it asks for is not ours' });
  const worded = inOurWords(text, prompt.at, 'mustache', {
    output: 'output',
    outputs: 'output',
    rubric: null,
    criteria: null,
  });
  losses.push(...worded.losses);
  return worded.text;
}

function readProvider(
  provider: PromptfooProvider | undefined,
  at: KeyPath,
  losses: Loss[],
): Pick<ForeignJudge, 'model' | 'params'> {
  if (provider === undefined) return { model: null, params: {} };
  if (typeof provider === 'string') return { model: foreignModel(provider, at), params: {} };
  const config = provider.config ?? {};
  const names = {
    temperature: 'temperature',
    max_tokens: 'max_output_tokens',
    reasoning_effort: 'reasoning_effort',
    seed: 'seed',
  } as const;
  const params: ForeignJudge['params'] = {};
  for (const [theirs, ours] of Object.entries(names)) {
    const value = config[theirs];
    if (value !== undefined) params[ours] = { at: [...at, 'config', theirs], value };
  }
  losses.push(
    ...unread(config, Object.keys(names), [...at, 'config']),
    ...unread(provider, ['id', 'config'], at),
  );
  return { model: foreignModel(provider.id, [...at, 'id']), params };
}
