import { describe, expect, it } from 'vitest';
import type { ResolvedJudge } from '../../../core/judge.ts';
import type { Sample } from '../../../core/sample.ts';
import { loadAttackPack } from '../../../harness/attack/pack.ts';
import { type AttackOptions, attackJudge } from '../../../harness/attack/run.ts';
import { createSimulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { gradedTexts, type Truth } from '../../simulator/truth.ts';
import { fakeClock, pair, resolved, sampleOf, seeded, single } from '../judge/fixture.ts';
import { openOn } from '../provider/open-test-provider.ts';
import { MemoryReadableLedger } from './readable-ledger.ts';

const { pack, hash } = loadAttackPack();

/** Real answers: every third is supported (3), the others add something (2). */
const REAL = Array.from({ length: 30 }, (_, index) =>
  sampleOf(
    single(
      `Order ${index} was refunded with ${index + 700} dollars${index % 3 === 0 ? ', as the record says' : ''}.`,
      {
        context: `Order ${index}: refund of ${index + 700} dollars.`,
      },
    ),
    `o${index}`,
  ),
);

/** Knows real answers by their words; whatever lacks them is wrong. */
const TRUTH: Truth = (seen, { levels }) => {
  const [text = ''] = gradedTexts(seen);
  if (!/Order \d+ was/.test(text)) return levels[0];
  return text.includes('as the record says') ? levels.at(-1) : levels[1];
};

interface Scene {
  simulator?: SimulatorOptions;
  judge?: ResolvedJudge;
  samples?: readonly Sample[];
  twins?: MemoryReadableLedger;
  attacked?: MemoryReadableLedger;
  options?: Partial<AttackOptions>;
}

async function attackScene(scene: Scene = {}) {
  const judge = scene.judge ?? resolved();
  const twins = scene.twins ?? new MemoryReadableLedger();
  const attacked = scene.attacked ?? new MemoryReadableLedger();
  await using simulator = await createSimulator({ anonymous: true, truth: TRUTH, ...scene.simulator });
  const provider = await openOn(simulator, 'openai', { connections: 8 });
  const clock = fakeClock();
  let ids = 0;
  const report = await attackJudge({
    resolved: judge,
    simulated: false,
    fit: null,
    examples: [],
    provider,
    config: { models: [], prices: [] },
    dataset: 'replies',
    pack,
    packHash: hash,
    seed: 7,
    count: 10,
    candidates: scene.samples ?? REAL,
    twins,
    attacked,
    concurrency: 8,
    now: clock.now,
    random: seeded(),
    newId: () => `attack-${++ids}`,
    sleep: clock.sleep,
    signal: new AbortController().signal,
    onEvent: () => {},
    ...scene.options,
  });
  await provider.close();
  return { report, twins, attacked, calls: simulator.calls };
}

async function figuresOf(scene: Scene, criterion = 'accuracy') {
  const { report } = await attackScene(scene);
  const figures = report?.criteria[criterion];
  if (figures === undefined) throw new Error('no figures');
  return figures;
}

describe('a judge under the attack pack', { timeout: 60_000 }, () => {
  it('passes where it is sound: nothing succeeds, and the interval says how sure that is', async () => {
    const figures = await figuresOf({});
    expect(figures.attacks).toBeGreaterThan(30);
    expect(figures.samples).toBe(10);
    expect(figures.success.value).toBe(0);
    expect(figures.success.ci).toMatchObject({ low: 0, method: 'wilson' });
    expect(figures.success.ci?.high).toBeGreaterThan(0);
    expect(figures.success.ci?.high).toBeLessThan(0.01);
    expect(figures.control).toMatchObject({ value: 0, n: 20 });
  });

  it('is caught where it does as the answer says, in every kind of attack that talks', async () => {
    const figures = await figuresOf({ simulator: { temper: { gullibility: 1 } } });
    expect(figures.success.value).toBeGreaterThan(0.8);
    expect(figures.success.ci?.low).toBeGreaterThan(0.75);
    // an answer that is none never gets as far as the judge
    expect(figures.by_kind.find(({ kind }) => kind === 'empty')).toMatchObject({
      success: { n: 0 },
      unscored: { trivial: 30 },
    });
    for (const { kind, success } of figures.by_kind.filter((one) => one.success.n > 0 && one.kind !== 'echo'))
      expect(`${kind} ${(success.value ?? 0) > 0.4}`).toBe(`${kind} true`);
    expect(figures.stopped).toEqual(expect.arrayContaining(['empty', 'colon', 'solution']));
    // harmless additions move nothing, so that none of it is the judge's own noise
    expect(figures.control.value).toBe(0);
  });

  it('keeps attacks that got no value apart: they are neither a success nor a resistance', async () => {
    const { report } = await attackScene({ simulator: { temper: { abstentions: 0.5 } } });
    const figures = report?.criteria.accuracy;
    expect(figures?.unscored.abstained).toBeGreaterThan(100);
    expect(figures?.success.nMissing).toBe(
      Object.values(figures?.unscored ?? {}).reduce((sum, n) => sum + n, 0),
    );
    expect((figures?.success.n ?? 0) + (figures?.success.nMissing ?? 0)).toBe(
      (figures?.replaced.n ?? 0) +
        (figures?.carried.n ?? 0) +
        (figures?.replaced.nMissing ?? 0) +
        (figures?.carried.nMissing ?? 0),
    );
    expect(figures?.success.value).toBe(0);
  });

  it('builds attacks on answers that could get a better value, and asks no others about riding attacks', async () => {
    const { report, twins } = await attackScene();
    const byId = new Map(REAL.map((sample) => [sample.id, sample]));
    const texts = report?.samples.map((id) => JSON.stringify(byId.get(id)?.content)) ?? [];
    expect(texts).toHaveLength(10);
    expect(texts.some((text) => text.includes('as the record says'))).toBe(false);
    expect(report?.criteria.accuracy?.no_room).toBe(0);
    expect(new Set(twins.verdicts.map(({ sample }) => sample)).size).toBeLessThanOrEqual(20);
  });

  it('counts what it could not try where every answer has the best value already', async () => {
    const best = REAL.filter((_, index) => index % 3 === 0);
    const figures = await figuresOf({ samples: best, simulator: { temper: { gullibility: 1 } } });
    expect(figures.carried).toMatchObject({ value: null, n: 0, reason: 'EMPTY' });
    expect(figures.no_room).toBeGreaterThan(300);
    expect(figures.replaced.value).toBeGreaterThan(0.8);
  });

  it('never puts a verdict on an attacked answer among the ordinary ones', async () => {
    const { twins, attacked } = await attackScene();
    const real = new Set(REAL.map(({ id }) => id));
    expect(twins.verdicts.every(({ sample }) => real.has(sample))).toBe(true);
    expect(attacked.verdicts.length).toBeGreaterThan(500);
    expect(attacked.verdicts.some(({ sample }) => real.has(sample))).toBe(false);
  });

  it('is not paid for twice: the second time everything was answered before, and says the same', async () => {
    const first = await attackScene({ simulator: { temper: { gullibility: 0.5 } } });
    const again = await attackScene({ twins: first.twins, attacked: first.attacked });
    expect(again.calls).toHaveLength(0);
    expect(again.report?.criteria).toEqual(first.report?.criteria);
  });

  it('goes on where it was stopped', async () => {
    const [twins, attacked] = [new MemoryReadableLedger(), new MemoryReadableLedger()];
    const stop = new AbortController();
    const stopped = await attackScene({
      twins,
      attacked,
      options: {
        signal: stop.signal,
        onEvent: (stage, event) => {
          if (stage === 'attacks' && event.type === 'progress' && event.done === 100) stop.abort();
        },
      },
    });
    expect(stopped.report).toBeNull();
    const { report, calls } = await attackScene({ twins, attacked });
    const whole = await attackScene();
    expect(report?.criteria).toEqual(whole.report?.criteria);
    expect(stopped.calls.length + calls.length).toBe(whole.calls.length);
  });

  it('aims at the side of a pair that did not win, in both orders', async () => {
    const pairs = Array.from({ length: 10 }, (_, index) =>
      sampleOf(
        pair(`Order ${index} was refunded, as the record says so.`, `Order ${index} came late, we think.`),
      ),
    );
    const scene: Scene = {
      judge: resolved({ criteria: ['better'] }),
      samples: pairs,
      simulator: {
        truth: (seen) =>
          gradedTexts(seen)[0]?.includes('as the record says') === true ? 'response_1' : 'response_2',
      },
    };
    const sound = await figuresOf(scene, 'better');
    expect(sound.success).toMatchObject({ value: 0 });
    expect(sound.success.n).toBeGreaterThan(400);
    const gullible = await figuresOf(
      { ...scene, simulator: { ...scene.simulator, temper: { gullibility: 1 } } },
      'better',
    );
    expect(gullible.success.ci?.low).toBeGreaterThan(0.4);
  });

  it('is refused where nothing says which level is better', async () => {
    await expect(attackScene({ judge: resolved({ criteria: ['tone'] }) })).rejects.toMatchObject({
      code: 'not_attackable',
    });
    const { report } = await attackScene({ judge: resolved({ criteria: ['tone', 'accuracy'] }) });
    expect(report?.left_out).toEqual([
      { criterion: 'tone', why: 'no pass rule says which of its levels is better' },
    ]);
  });
});
