import type { PanelVote } from '../core/judge.ts';
import { rubricHash } from '../core/rubric.ts';
import type { Outcome } from '../core/verdict.ts';
import { combinePanel } from '../harness/judge/combine-panel.ts';
import { brokenState } from '../harness/judge/run.ts';
import { type RunTally, sumTallies, Tally } from '../harness/judge/tally.ts';
import type { Store } from './db/store.ts';
import { combinedVerdicts } from './rated-items.ts';
import type { ActiveRun, Job, StartOptions } from './run-job.ts';

export interface PanelOptions extends Job {
  vote: PanelVote;
  store: Store;
  simulated: boolean;
  /** Milliseconds since the epoch. */
  now: () => number;
  startMember: (options: StartOptions) => Promise<ActiveRun>;
}

/**
 * Runs a panel: its members one after another within one budget, then its own verdicts, which their standing ones come
 * to. It sends no calls of its own. Where a member stops or fails, so does the panel, and gives no verdict.
 * @returns calls and costs of its members' runs, and how many of its own verdicts were scored.
 */
export async function runPanel(options: PanelOptions): Promise<RunTally> {
  const { id, loaded, store, now, onEvent } = options;
  const stamp = () => new Date(now()).toISOString();
  await store.runs.startRun({
    id,
    judge: loaded.ref,
    judge_hash: loaded.hash,
    dataset: options.dataset,
    planned: 0,
    concurrency: options.concurrency,
    limit: options.limit,
    budget_usd: options.budget_usd,
    simulated: options.simulated,
    at: stamp(),
  });
  onEvent({ type: 'planned', run: id, total: 0 });
  const progress: Progress = { tally: new Tally(0, now).read(), runs: [], stopped: '' };
  try {
    await runMembers(options, progress);
    if (progress.stopped === '') Object.assign(progress.tally, append(options, stamp()));
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    await store.runs.endRun(id, brokenState(error), why, stamp());
    throw error;
  }
  const { tally, runs, stopped } = progress;
  const state = stopped === '' ? 'done' : 'stopped';
  const why = stopped || `the panel's members ran as ${runs.join(', ')}`;
  await store.runs.endRun(id, state, why, stamp());
  onEvent({ type: 'finished', state, why, ...tally });
  return tally;
}

interface Progress {
  tally: RunTally;
  /** Each member's run, in words. */
  runs: string[];
  /** Why it ended early; empty where it did not. */
  stopped: string;
}

async function runMembers(options: PanelOptions, progress: Progress): Promise<void> {
  const { loaded, dataset, limit, budget_usd, concurrency, on_unknown, batch, signal, store, onEvent } =
    options;
  let spent = 0;
  for (const { ref } of loaded.members) {
    if (signal.aborted) {
      progress.stopped = 'stopped by request';
      return;
    }
    const before = progress.tally;
    const run = await options.startMember({
      judge: ref,
      dataset,
      concurrency,
      on_unknown,
      batch,
      ...(limit !== null && { limit }),
      ...(budget_usd !== null && { budget_usd: Math.max(0, budget_usd - spent) }),
      onEvent: (event) => {
        if (event.type === 'planned') return;
        if (event.type === 'batch') onEvent(event);
        else onEvent({ ...sumTallies(before, event), type: 'progress' });
      },
    });
    progress.tally = sumTallies(before, await run.ended);
    const ended = store.runs.get(run.id);
    spent += ended?.cost_usd ?? 0;
    progress.runs.push(`${ref} (${run.id})`);
    if (ended?.state !== 'done') {
      progress.stopped = `${ref}: ${ended?.why ?? 'stopped'}`;
      return;
    }
  }
}

/** Appends the verdicts that the members' come to, where they differ from what stands. @returns what they were. */
function append(options: PanelOptions, at: string): Pick<RunTally, 'scored' | 'unscored' | 'misplaced'> {
  const { loaded, vote, store, samples, total, now } = options;
  const tally = new Tally(0, now);
  const panel = store.verdicts.judge(loaded.ref, loaded.hash, options.simulated);
  const seqs = store.samples.ids(samples).slice(0, total);
  for (const criterion of loaded.rubric.criteria.filter(({ id }) => loaded.judge.criteria.includes(id))) {
    const stands = combinedVerdicts(store, samples, panel.id, criterion);
    const members = loaded.members.map(({ ref, hash }) => ({
      judge: ref,
      said: combinedVerdicts(store, samples, store.verdicts.known(ref, hash)?.id ?? null, criterion),
    }));
    store.write(() => {
      for (const { seq } of seqs) {
        const said = members.flatMap(({ judge, said }) => {
          const result = said(seq);
          return result === null ? [] : [{ judge, result }];
        });
        if (said.length < members.length) continue;
        const result = combinePanel(criterion, vote, said);
        tally.judge([result]);
        if (same(stands(seq), result)) continue;
        const verdict = { criterion: criterion.id, order: null, repeat: 1, result, served_model: null };
        const rubric_hash = rubricHash(loaded.rubric);
        store.verdicts.append(panel.id, seq, { ...verdict, rubric_hash, fingerprint: null, at }, null);
      }
    });
  }
  const { scored, unscored, misplaced } = tally.read();
  return { scored, unscored, misplaced };
}

function same(one: Outcome | null, other: Outcome): boolean {
  return one !== null && one.outcome === other.outcome && one.reason === other.reason;
}
