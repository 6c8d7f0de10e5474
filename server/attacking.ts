import type { AttackReport } from '../core/attack.ts';
import type { Sample } from '../core/sample.ts';
import { loadAttackPack } from '../harness/attack/pack.ts';
import { attackJudge } from '../harness/attack/run.ts';
import { nativeDigest } from '../harness/digest.ts';
import { refusePanel } from '../harness/judge/panel.ts';
import { requirePrice } from '../harness/judge/reserve.ts';
import type { RunEvent } from '../harness/judge/run.ts';
import { openProvider } from '../harness/provider/open.ts';
import { sleep } from '../harness/provider/sleep.ts';
import { loadJudge } from '../harness/workspace/judges.ts';
import type { Store } from './db/store.ts';
import { baselineFit, fewShots } from './judge-inputs.ts';
import type { DeskOptions } from './run-desk.ts';

export interface AttackCommand {
  judge: string;
  dataset: string;
  /** Seed of the choice of samples. */
  seed: number;
  /** How many real samples the attacks are built on. */
  count: number;
  concurrency?: number;
  signal: AbortSignal;
  cutoff: AbortSignal;
  onEvent: (stage: 'twins' | 'attacks', event: RunEvent) => void;
}

/** Candidates that may be asked for each sample that is wanted. */
const REACH = 5;

/**
 * Puts the attack pack to a judge on samples of a dataset and keeps what it came to.
 * @returns null where the run was stopped; what was answered is stored, and the same command goes on.
 */
export async function attack(desk: DeskOptions, command: AttackCommand): Promise<AttackReport | null> {
  const { workspace, store, now } = desk;
  const loaded = loadJudge(
    workspace,
    command.judge,
    (id) => store.samples.find(id)?.sample.content_hash ?? null,
  );
  refusePanel(loaded.judge, 'attacked');
  const fit = baselineFit(desk, loaded, command.dataset);
  const { concurrency: usual, deadline_seconds } = workspace.config.defaults;
  const concurrency = command.concurrency ?? usual;
  const { run_usd = null, day_usd = null } = workspace.config.budgets;
  if (run_usd !== null || day_usd !== null) requirePrice(loaded.judge, workspace.config.prices);
  const { pack, hash } = loadAttackPack();
  const provider = await openProvider(loaded.judge, {
    root: workspace.root,
    config: workspace.config,
    env: desk.env,
    connections: concurrency,
    deadlineMs: deadline_seconds * 1000,
    now: () => now().getTime(),
  });
  try {
    const report = await attackJudge({
      resolved: loaded,
      simulated: loaded.simulated || (provider?.simulated ?? false),
      fit,
      examples: fewShots(store, loaded),
      provider,
      config: workspace.config,
      budget_usd: run_usd,
      dataset: command.dataset,
      pack,
      packHash: hash,
      seed: command.seed,
      count: command.count,
      candidates: candidates(store, command),
      twins: store.runs,
      attacked: store.attacks,
      concurrency,
      now: () => now().getTime(),
      random: desk.random,
      newId: desk.newId,
      sleep,
      signal: command.signal,
      cutoff: command.cutoff,
      onEvent: command.onEvent,
    });
    if (report !== null) store.write(() => store.attacks.keep(report, now().toISOString()));
    return report;
  } finally {
    await provider?.close();
  }
}

/** The same samples for the same seed, whatever the order of import. */
function candidates(store: Store, { dataset, seed, count }: AttackCommand): Sample[] {
  const drawn = store.samples
    .ids(store.samples.dataset(dataset).id)
    .map(({ seq, id }) => ({ seq, draw: nativeDigest(`${seed}\n${id}`) }))
    .sort((one, other) => (one.draw < other.draw ? -1 : 1))
    .slice(0, count * REACH);
  const found = store.samples.bySeq(drawn.map(({ seq }) => seq));
  return drawn.flatMap(({ seq }) => found.get(seq) ?? []);
}
