import type { ResolvedJudge } from '../../../core/judge.ts';
import type { Problem } from '../../../core/problem.ts';
import type { Sample } from '../../../core/sample.ts';
import { type RunEvent, type RunOptions, type RunSummary, runJudge } from '../../../harness/judge/run.ts';
import { createSimulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { type Hosted, openOn } from '../provider/open-test-provider.ts';
import { fakeClock, resolved, samples, seeded } from './fixture.ts';
import { MemoryLedger } from './memory-ledger.ts';

export interface Scene {
  simulator?: SimulatorOptions;
  judge?: ResolvedJudge;
  samples?: readonly Sample[];
  ledger?: MemoryLedger;
  deadlineMs?: number;
  /** The endpoint says that it is simulated. */
  simulated?: boolean;
  /** Nobody listens where the provider should be. */
  unreachable?: boolean;
  options?: Partial<RunOptions>;
}

/** Runs a judge over samples against a simulator on a clock that only sleeping moves. */
export async function runScene(scene: Scene) {
  const judge = scene.judge ?? resolved();
  const dataset = scene.samples ?? samples(1);
  const ledger = scene.ledger ?? new MemoryLedger();
  const concurrency = scene.options?.concurrency ?? 4;
  await using simulator = await createSimulator({ anonymous: true, ...scene.simulator });
  if (scene.unreachable) await simulator.close();
  const provider = await openOn(simulator, judge.judge.provider as Hosted, {
    connections: concurrency,
    deadlineMs: scene.deadlineMs ?? 60_000,
    simulated: scene.simulated ?? false,
  });
  const clock = fakeClock();
  const events: RunEvent[] = [];
  let problem: Problem | null = null;
  let summary: RunSummary | null = null;
  try {
    summary = await runJudge({
      id: `run-${ledger.runs.size + 1}`,
      dataset: 'replies',
      resolved: judge,
      fit: null,
      examples: [],
      samples: dataset,
      total: dataset.length,
      ledger,
      provider,
      config: { models: [], prices: [] },
      concurrency,
      now: clock.now,
      random: seeded(),
      sleep: clock.sleep,
      signal: new AbortController().signal,
      onEvent: (event) => events.push(event),
      ...scene.options,
    });
  } catch (error) {
    problem = error as Problem;
  }
  await provider.close();
  const outcomes = ledger.verdicts.map(({ result }) => result.outcome);
  return { summary, problem, ledger, events, outcomes, calls: simulator.calls, waits: clock.waits };
}
