import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Judge } from '../../../core/judge.ts';
import { Problem } from '../../../core/problem.ts';
import { Rubric } from '../../../core/rubric.ts';
import { draftJudges, type JudgeDraft } from '../../../harness/formats/in/judges/draft.ts';
import { readJudges } from '../../../harness/formats/in/judges/read-judges.ts';
import { openSource } from '../../../harness/formats/in/judges/source.ts';
import { loadJudge } from '../../../harness/workspace/judges.ts';
import { writeDrafts } from '../../../harness/workspace/write-drafts.ts';
import { temporaryWorkspace } from '../../support/workspace.ts';

const PINNED = { provider: 'openai' as const, model: 'gpt-4.1-2025-04-14', endpoint: null };

function drafts(
  file: string,
  text: string,
  model: typeof PINNED | null = PINNED,
): { format: string; drafts: JudgeDraft[] } {
  const source = openSource(text, file);
  const { format, judges } = readJudges(source, null);
  return {
    format,
    drafts: draftJudges(source, judges, { id: 'x', criteria: null, model, allowFloating: false }),
  };
}

function refusal(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was taken');
}

/** One sample true to each format, and the same with one fault. */
const SAMPLES: {
  format: string;
  file: string;
  text: string;
  damage: [string, string];
  at: string;
  says: string;
  scale: string;
  lost: string;
}[] = [
  {
    format: 'promptfoo',
    file: 'c.yaml',
    text: 'tests:\n  - vars: {q: "a"}\n    assert:\n      - type: llm-rubric\n        value: States the limit\n        threshold: 0.8\n        provider: anthropic:messages:claude-sonnet-4-5-20250929\n',
    damage: ['value: States the limit', 'value: 7'],
    at: 'c.yaml:5:16 tests.0.assert.0.value',
    says: 'what llm-rubric shall look for',
    scale: 'binary',
    lost: 'tests.0.assert.0.threshold',
  },
  {
    format: 'openai-graders',
    file: 'g.json',
    text: '{"type": "score_model", "name": "tone", "model": "gpt-4.1-2025-04-14",\n "input": [{"role": "user", "type": "message", "content": "{{item.question}} {{sample.output_text}}"}],\n "range": [1, 5], "pass_threshold": 4, "sampling_params": {"temperature": 0, "top_p": 1}}',
    damage: ['[1, 5]', '[5, 1]'],
    at: 'g.json:3:11 range',
    says: 'lowest, highest',
    scale: 'ordinal',
    lost: 'sampling_params.top_p',
  },
  {
    format: 'openai-graders',
    file: 'l.json',
    text: '{"type": "label_model", "name": "ok", "model": "gpt-4.1-2025-04-14",\n "input": [{"role": "system", "content": "pass: names the order\\nfail: names none"}],\n "labels": ["pass", "fail"], "passing_labels": ["pass"]}',
    damage: ['"passing_labels": ["pass"]', '"passing_labels": ["good"]'],
    at: 'l.json:3:49 passing_labels.0',
    says: 'none of the labels pass, fail',
    scale: 'binary',
    lost: 'input',
  },
  {
    format: 'deepeval',
    file: 'd.json',
    text: '{"name": "Right", "evaluationParams": ["input", "actualOutput"], "multiTurn": false,\n "evaluationSteps": ["Compare the amounts."],\n "rubric": [{"scoreRange": [0, 4], "expectedOutcome": "Another amount."}, {"scoreRange": [5, 10], "expectedOutcome": "The amount."}], "threshold": 0.5}',
    damage: ['[5, 10]', '[3, 10]'],
    at: 'd.json:3:12 rubric',
    says: 'two bands hold the score 3',
    scale: 'ordinal',
    lost: 'rubric',
  },
  {
    format: 'autoevals',
    file: 'a.yaml',
    text: 'prompt: |-\n  {{{input}}} {{{output}}} {{{expected}}}\n  (A) Says less.\n  (B) Says the same.\n  (C) Contradicts it.\nchoice_scores:\n  A: 0.4\n  B: 1\n  C: 0\n',
    damage: ['A: 0.4', 'A: some'],
    at: 'a.yaml:7:6 choice_scores.A',
    says: 'expected number',
    scale: 'nominal',
    lost: 'choice_scores',
  },
  {
    format: 'openai-evals',
    file: 'e.yaml',
    text: 'fact:\n  prompt: "{input} {completion} {ideal}"\n  choice_strings: YN\n  choice_scores: {"Y": 1.0, "N": 0.0}\n  eval_type: cot_classify\n  input_outputs: {input: completion}\n',
    damage: ['choice_strings: YN', 'choice_strings: from_n'],
    at: 'e.yaml:3:19 fact.choice_strings',
    says: 'the choices themselves',
    scale: 'binary',
    lost: 'fact.prompt',
  },
  {
    format: 'langfuse',
    file: 'f.json',
    text: '{"name": "help", "type": "llm_as_judge", "prompt": "Judge {{query}} {{answer}}",\n "outputDefinition": {"dataType": "CATEGORICAL", "reasoning": {"description": "why"}, "score": {"description": "How much help?", "categories": ["much", "none"]}},\n "modelConfig": {"provider": "openai", "model": "gpt-4.1-2025-04-14"}, "mapping": [{"variable": "query", "source": "input"}, {"variable": "answer", "source": "output", "jsonPath": "$.a"}]}',
    damage: [', "categories": ["much", "none"]', ''],
    at: 'f.json:2:96 outputDefinition.score.categories',
    says: 'expected the categories',
    scale: 'binary',
    lost: 'mapping.1.jsonPath',
  },
  {
    format: 'mlflow',
    file: 'm.py',
    text: 'from mlflow.genai.judges import make_judge\nj = make_judge(\n    name="formal",\n    instructions=("Is {{ outputs }} formal, "\n        "given {{ inputs }}?"),\n    feedback_value_type=Literal["yes", "no"],\n    model="openai:/gpt-4.1-2025-04-14",\n)\n',
    damage: ['name="formal"', 'name=7'],
    at: 'm.py:3:10 name',
    says: 'expected string',
    scale: 'binary',
    lost: '0.instructions',
  },
  {
    format: 'mlflow',
    file: 'm.json',
    text: '{"name": "formal", "serialization_version": 1,\n "instructions_judge_pydantic_data": {"instructions": "Is {{ outputs }} formal?", "model": "openai:/gpt-4.1-2025-04-14", "feedback_value_type": {"title": "Result", "type": "string"}}}',
    damage: ['"instructions": "Is {{ outputs }} formal?", ', ''],
    at: 'm.json:2:38 instructions_judge_pydantic_data.instructions',
    says: 'missing: expected string',
    scale: 'binary',
    lost: 'instructions_judge_pydantic_data.feedback_value_type',
  },
  {
    format: 'inspect',
    file: 'i.py',
    text: 'T = """\nQ: {question} A: {answer} {criterion}\n{instructions}\n""".strip()\n\n@task\ndef t():\n    return Task(dataset=load(), scorer=model_graded_qa(template=T, partial_credit=True, model="openai/gpt-4.1-2025-04-14", include_history=True))\n',
    damage: ['template=T', 'template=load("x")'],
    at: 'i.py:8:65 template',
    says: 'known only when Python runs',
    scale: 'nominal',
    lost: '0.include_history',
  },
];

describe('a judge of another tool', () => {
  it.each(SAMPLES)('becomes a draft that our own schemas take: $format ($file)', (sample) => {
    const named = /gpt-4.1|claude/.test(sample.text);
    const read = drafts(sample.file, sample.text, named ? null : PINNED);
    expect(read.format).toBe(sample.format);
    const [draft] = read.drafts;
    expect(Judge.parse(draft?.judge).model).toMatch(/-20250929$|-2025-04-14$/);
    expect(Rubric.parse(draft?.rubric).criteria.map(({ scale }) => scale)).toEqual([sample.scale]);
    expect(draft?.losses.map(({ at }) => at.join('.'))).toContain(sample.lost);
  });

  it.each(SAMPLES)('is refused with its place where one field is amiss: $format ($file)', (sample) => {
    const text = sample.text.replace(...sample.damage);
    expect(text).not.toBe(sample.text);
    const { message, remedy, exitCode } = refusal(() => drafts(sample.file, text));
    expect(message).toContain(sample.at);
    expect(message).toContain(sample.says);
    expect(remedy).not.toBe('');
    expect(exitCode).toBe(2);
  });

  it('keeps the anchors that its prompt gives, the pass rule and the settings', () => {
    const [draft] = drafts('l.json', SAMPLES[2]?.text ?? '').drafts;
    expect(draft?.rubric.criteria[0]).toMatchObject({
      levels: [
        { value: 'pass', anchor: 'names the order' },
        { value: 'fail', anchor: 'names none' },
      ],
      pass: { equals: 'pass' },
    });
    expect(drafts('g.json', SAMPLES[1]?.text ?? '').drafts[0]).toMatchObject({
      rubric: { criteria: [{ pass: { at_least: 4 } }] },
      judge: { params: { temperature: 0 } },
    });
  });

  it('is refused under a floating alias, without a model, or of an unknown provider, with the way out', () => {
    const [, , { text = '' } = {}] = SAMPLES;
    const floating = refusal(() => drafts('l.json', text.replace('-2025-04-14', ''), null));
    expect(floating.message).toContain('l.json:1:48 model: "gpt-4.1" is a floating alias');
    expect(floating.remedy).toContain('--allow-floating');
    expect(refusal(() => drafts('a.yaml', SAMPLES[4]?.text ?? '', null)).code).toBe('no_model');
    expect(refusal(() => drafts('l.json', text.replace('gpt-4.1', 'bedrock:x'), null)).code).toBe(
      'unknown_provider',
    );
  });

  it('is not looked for in a file of another shape, nor in checks by code', () => {
    expect(refusal(() => drafts('x.yaml', 'a: 1\n')).code).toBe('unknown_format');
    expect(refusal(() => drafts('x.json', '{"type":"python","name":"p","source":"import os"}')).code).toBe(
      'no_judge',
    );
  });

  it('passes our schemas whatever words it holds, in YAML and back', async () => {
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => text.trim() !== '');
    const labels = fc.uniqueArray(
      word.map((text) => text.trim()),
      { minLength: 2, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(word, word, labels, async (name, content, choices) => {
        await using workspace = temporaryWorkspace();
        const grader = {
          type: 'label_model',
          name,
          model: PINNED.model,
          input: [{ role: 'user', content }],
          labels: choices,
          passing_labels: choices.slice(0, 1),
        };
        const [draft] = drafts('p.json', JSON.stringify(grader)).drafts;
        if (draft === undefined) throw new Error('no draft');
        const notes = draft.losses.map(({ at, why }) => `${at.join('.')}: ${why} ${content}`);
        writeDrafts(workspace, [{ ...draft, rubricNotes: notes, judgeNotes: notes }]);
        const loaded = loadJudge(workspace, 'x@1');
        expect(loaded.judge).toEqual(Judge.parse(draft.judge));
        expect(loaded.rubric).toEqual(Rubric.parse(draft.rubric));
        expect(loaded.rubric.criteria[0]?.levels.map(({ value }) => value)).toEqual(choices);
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it('is read out of Python text as Python would read it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (raw) => {
        const text = `a${raw}`.trim();
        const literal = JSON.stringify(text).replace(/\u007f/g, '\\x7f');
        const [draft] = drafts(
          'm.py',
          `make_judge(name="n", instructions=${literal.replace(/\\\//g, '/')})`,
        ).drafts;
        const shown = text.replace(/\{\{\{?\s*([^{}]*?)\s*\}?\}\}/g, '');
        if (shown === text) expect(draft?.rubric.guidelines).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

describe('drafts in the workspace', () => {
  it('never stand over a version that is there, and come all or not at all', async () => {
    await using workspace = temporaryWorkspace({ 'judges/x/v1.yaml': 'mine\n' });
    const [draft] = drafts('l.json', SAMPLES[2]?.text ?? '').drafts;
    if (draft === undefined) throw new Error('no draft');
    const problem = refusal(() => writeDrafts(workspace, [{ ...draft, rubricNotes: [], judgeNotes: [] }]));
    expect(problem.code).toBe('version_exists');
    expect(problem.remedy).toContain('--as');
    expect(readFileSync(workspace.path('judges/x/v1.yaml'), 'utf8')).toBe('mine\n');
    expect(existsSync(workspace.path('rubrics/x/v1.yaml'))).toBe(false);
  });
});
