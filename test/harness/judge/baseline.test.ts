import { describe, expect, it } from 'vitest';
import type { LabelSet } from '../../../core/label-set.ts';
import { fitJudge } from '../../../harness/judge/baseline.ts';
import { judgeSample } from '../../../harness/judge/judge-sample.ts';
import { runJudge } from '../../../harness/judge/run.ts';
import { fakeClock, pair, resolved, sampleOf, seeded, single } from './fixture.ts';
import { MemoryLedger } from './memory-ledger.ts';

const baseline = (model: string, criteria = ['accuracy']) =>
  resolved({ provider: 'baseline', model, criteria });

const dev = [
  { content: single('no'), gold: '1' },
  { content: single('It was sent.'), gold: '2' },
  { content: single('It was sent on the third of May to the card that you paid with.'), gold: '3' },
].map(({ content, gold }, index) => ({
  sample: sampleOf(content, `d${index}`),
  split: 'dev' as const,
  p: null,
  labels: [],
  gold: {
    accuracy: { value: gold, from: 'single' as const },
    better: { value: 'a', from: 'single' as const },
  },
}));

const set: LabelSet = {
  header: {
    label_set: 'replies',
    version: 4,
    rubric: 'reply@2',
    rubric_hash: 'sha256:r',
    dataset: 'replies',
    split: { seed: 7, dev: 3, test: 0 },
    drawn: 'random',
    annotators: 1,
    created: '2026-11-30T12:00:00Z',
    hash: 'sha256:set',
  },
  items: dev,
};

const { now, sleep } = fakeClock();
const signal = new AbortController().signal;
const config = { models: [], prices: [] };
const shared = { examples: [], provider: null, config, concurrency: 2, now, sleep, random: seeded() };

function run(
  judge: ReturnType<typeof baseline>,
  fit: ReturnType<typeof fitJudge> | null,
  ledger = new MemoryLedger(),
) {
  const samples = [sampleOf(single('no')), sampleOf(single(`${'so it goes on '.repeat(20)}`))];
  const options = {
    id: 'run-1',
    dataset: 'replies',
    total: 2,
    signal,
    onEvent: () => undefined,
  };
  return runJudge({ ...options, ...shared, resolved: judge, fit, samples, ledger });
}

describe('a baseline judge', () => {
  it('is fitted on the dev split of a label set, and carries where it learned', () => {
    expect(fitJudge(baseline('length@1'), set)).toEqual({
      label_set: 'replies@4',
      label_set_hash: 'sha256:set',
      n: 3,
      criteria: {
        accuracy: { rule: 'cuts', levels: ['1', '2', '3'], cuts: [expect.any(Number), expect.any(Number)] },
      },
    });
  });

  it('runs like any other judge, without a provider, and costs nothing', async () => {
    const judge = baseline('length@1');
    const ledger = new MemoryLedger();
    const summary = await run(judge, fitJudge(judge, set), ledger);
    expect(summary).toMatchObject({ state: 'done', scored: 2, cost_usd: 0, unpriced: 0 });
    expect(ledger.verdicts.map(({ result }) => result)).toEqual([
      {
        outcome: 'scored',
        value: '1',
        reason: expect.stringMatching(/^length@1, .* measure 1\.0986\.$/),
        quotes: [],
      },
      {
        outcome: 'scored',
        value: '3',
        reason: expect.stringContaining('fitted on replies@4 dev'),
        quotes: [],
      },
    ]);
    expect(ledger.verdicts[0]).toMatchObject({ served_model: 'length@1', fingerprint: null });
    expect(await run(judge, fitJudge(judge, set), ledger)).toMatchObject({ reused: 2, scored: 0 });
  });

  it('asks anew when it learned anew', async () => {
    const judge = baseline('length@1');
    const ledger = new MemoryLedger();
    await run(judge, fitJudge(judge, set), ledger);
    const later = { ...fitJudge(judge, set), label_set: 'replies@5' };
    expect(await run(judge, later, ledger)).toMatchObject({ reused: 0, scored: 2 });
  });

  it('is refused without its fit', async () => {
    await expect(run(baseline('length@1'), null)).rejects.toThrow('was not fitted on any label set');
    const other = { ...fitJudge(baseline('length@1'), set), criteria: {} };
    await expect(run(baseline('length@1'), other)).rejects.toThrow('was not fitted on "accuracy"');
  });

  it('says the same of a pair in both orders', async () => {
    const judge = baseline('majority@1', ['better']);
    const judged = await judgeSample(
      { ...shared, resolved: judge, fit: fitJudge(judge, set), stop: signal, cutoff: signal },
      pair('one', 'another'),
    );
    expect(judged).toMatchObject({ outcomes: { better: { outcome: 'scored', value: 'a' } }, cost_usd: 0 });
  });
});
