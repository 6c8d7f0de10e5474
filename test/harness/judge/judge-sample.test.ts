import { describe, expect, it } from 'vitest';
import type { ResolvedJudge } from '../../../core/judge.ts';
import type { SampleContent } from '../../../core/sample.ts';
import { judgeSample } from '../../../harness/judge/judge-sample.ts';
import { createSimulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { openOn } from '../provider/open-test-provider.ts';
import { fakeClock, OUTPUT, pair, resolved, seeded, single } from './fixture.ts';

async function judge(content: SampleContent, judge: ResolvedJudge, options: SimulatorOptions = {}) {
  await using simulator = await createSimulator({ anonymous: true, ...options });
  const provider = await openOn(simulator, 'openai');
  const { now, sleep } = fakeClock();
  const never = new AbortController().signal;
  try {
    const judgement = await judgeSample(
      {
        resolved: judge,
        fit: null,
        examples: [],
        provider,
        config: { models: [], prices: [] },
        concurrency: 4,
        now,
        sleep,
        random: seeded(),
        stop: never,
        cutoff: never,
      },
      content,
    );
    return { judgement, calls: simulator.calls };
  } finally {
    await provider.close();
  }
}

describe('judging one sample', () => {
  it('gives an outcome for each criterion, with what it cost in all', async () => {
    const { judgement, calls } = await judge(
      single(),
      resolved({ criteria: ['accuracy', 'approval'], repeats: 3 }),
    );
    expect(calls).toHaveLength(6);
    expect(judgement.outcomes).toMatchObject({
      accuracy: { outcome: 'scored', quotes: [{ status: 'exact' }] },
      approval: { outcome: 'scored' },
    });
    expect(judgement.cost_usd).toBeGreaterThan(0);
    expect(judgement.usage?.output).toBeGreaterThan(0);
    expect(judgement.served_model).toBe('gpt-4.1-2025-04-14');
  });

  it('calls a pair a tie where the orders disagree, and tells so', async () => {
    const { judgement, calls } = await judge(
      pair('One answer to it.', 'Another answer.'),
      resolved({ criteria: ['better'] }),
      {
        temper: { positionBias: 1 },
      },
    );
    expect(calls).toHaveLength(2);
    expect(judgement.outcomes.better).toMatchObject({
      outcome: 'scored',
      value: 'tie',
      reason: expect.stringContaining('flipped with the order: a with A first, b with B first'),
    });
  });

  it('knows no cost where one attempt has none', async () => {
    const { judgement } = await judge(single(), resolved(), { faults: () => ({ kind: 'reset' }) });
    expect(judgement).toMatchObject({
      outcomes: { accuracy: { outcome: 'unknown' } },
      cost_usd: null,
      usage: null,
    });
  });

  it('throws what would stop a run', async () => {
    const refused: SimulatorOptions = { faults: () => ({ kind: 'status', status: 401 }) };
    await expect(judge(single(OUTPUT), resolved(), refused)).rejects.toMatchObject({ code: 'key_refused' });
  });
});
