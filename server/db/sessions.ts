import { eq, lt } from 'drizzle-orm';
import { nativeDigest } from '../../harness/digest.ts';
import type { OpenDatabase } from './open.ts';
import { sessions } from './schema.ts';

export interface Session {
  /** The name under which this browser labels; null until it is given. */
  annotator: string | null;
}

/** How long a signed-in browser stays so, milliseconds. */
const LIFETIME = 30 * 24 * 3600 * 1000;

/** Signed-in browsers. Tokens are kept as hashes only: a stolen database opens no session. */
export class SessionStore {
  readonly #db: OpenDatabase;

  constructor(db: OpenDatabase) {
    this.#db = db;
  }

  create(token: string, now: Date): void {
    this.#db.orm.delete(sessions).where(lt(sessions.expiresAt, now.toISOString())).run();
    const expiresAt = new Date(now.getTime() + LIFETIME).toISOString();
    this.#db.orm
      .insert(sessions)
      .values({ tokenHash: nativeDigest(token), annotator: null, createdAt: now.toISOString(), expiresAt })
      .run();
  }

  find(token: string, now: Date): Session | null {
    const row = this.#db.orm
      .select()
      .from(sessions)
      .where(eq(sessions.tokenHash, nativeDigest(token)))
      .get();
    return row === undefined || row.expiresAt < now.toISOString() ? null : { annotator: row.annotator };
  }

  setAnnotator(token: string, annotator: string): void {
    this.#db.orm
      .update(sessions)
      .set({ annotator })
      .where(eq(sessions.tokenHash, nativeDigest(token)))
      .run();
  }
}
