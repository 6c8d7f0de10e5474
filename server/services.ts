import type { Workspace } from '../harness/workspace/workspace.ts';
import type { Store } from './db/store.ts';
import type { RunDesk } from './run-desk.ts';

/** What every route and command works with. */
export interface Services {
  workspace: Workspace;
  store: Store;
  runs: RunDesk;
  now: () => Date;
  /** New ids and tokens: 256 random bits, URL-safe. */
  newToken: () => string;
}
