import { dataFolder, type Workspace } from '../../harness/workspace/workspace.ts';
import { AttackStore } from './attacks.ts';
import { AttemptStore } from './attempts.ts';
import { BatchStore } from './batches.ts';
import { Budgets } from './budgets.ts';
import { GroupCommit } from './group-commit.ts';
import { LabelStore } from './labels.ts';
import { LookStore } from './looks.ts';
import { openDatabase } from './open.ts';
import { takeOwnership } from './owner.ts';
import { RunStore } from './runs.ts';
import { SampleStore } from './samples.ts';
import { SessionStore } from './sessions.ts';
import { VerdictStore } from './verdicts.ts';

/** All that was observed in a workspace, one store a noun. */
export interface Store {
  samples: SampleStore;
  labels: LabelStore;
  verdicts: VerdictStore;
  runs: RunStore;
  attempts: AttemptStore;
  attacks: AttackStore;
  batches: BatchStore;
  looks: LookStore;
  sessions: SessionStore;
  /** Runs writes in one immediate transaction: all of them, or none. */
  write<T>(work: () => T): T;
  /** The same, shared with the other writes of this turn; resolves when it is on disk. */
  writeSoon<T>(work: () => T): Promise<T>;
  close(): void;
}

export interface StoreOptions {
  now: () => string;
  /** What this process does, for the message that the next one shows. */
  command: string;
  url?: string;
  /** Reads only: takes no lock, changes nothing. */
  readonly?: boolean;
}

/**
 * Opens the workspace's database as its one owner (or for reading beside the owner).
 * @throws Problem `owned` where another process holds it, or what openDatabase throws.
 */
export function openStore(
  workspace: Workspace,
  { now, command, url, readonly = false }: StoreOptions,
): Store {
  const folder = dataFolder(workspace);
  const lock = readonly
    ? null
    : takeOwnership(folder, { pid: process.pid, command, since: now(), url: url ?? null });
  try {
    const db = openDatabase(folder, { now, readonly });
    const commit = new GroupCommit(db.raw);
    const verdicts = new VerdictStore(db);
    const budgets = new Budgets(db, workspace.config.budgets.day_usd ?? null);
    const runs = new RunStore(db, commit, verdicts, budgets);
    if (!readonly) runs.closeOrphans(now());
    return {
      samples: new SampleStore(db),
      labels: new LabelStore(db),
      verdicts,
      runs,
      attempts: new AttemptStore(db),
      attacks: new AttackStore(db, commit, verdicts, budgets),
      batches: new BatchStore(db, commit),
      looks: new LookStore(db),
      sessions: new SessionStore(db),
      write: (work) => db.raw.transaction(work).immediate(),
      writeSoon: (work) => commit.run(work),
      close: () => {
        commit.flush();
        db.raw.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}
