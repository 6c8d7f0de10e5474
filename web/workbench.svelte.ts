import { createContext } from 'svelte';
import { type Answer, answer, api, type Session } from './api.ts';
import type { DraftStore } from './label/draft.ts';
import { openBrowserStore } from './outbox/browser-store.ts';
import { Outbox } from './outbox/outbox.svelte.ts';

/** What every page works with: who labels, what is on its way to the server, what this browser keeps. */
export class Workbench {
  session: Session = $state.raw({ workspace: '', annotator: null });
  readonly outbox: Outbox;
  readonly drafts: DraftStore;

  constructor(session: Session, outbox: Outbox, drafts: DraftStore) {
    this.outbox = outbox;
    this.drafts = drafts;
    this.#take(session);
  }

  /** Gives this browser's person a name; what was made under the name before is sent first. */
  async rename(annotator: string): Promise<Answer<Session>> {
    await this.outbox.flush();
    const named = await answer(api.session.annotator.$post({ json: { annotator } }));
    if (named.ok) this.#take(named.value);
    return named;
  }

  #take(session: Session): void {
    this.session = session;
    this.outbox.annotator = session.annotator;
    void this.outbox.flush();
  }
}

export const [useWorkbench, provideWorkbench] = createContext<Workbench>();

/** Opens the workbench: who this browser is, and what it kept. */
export async function openWorkbench(): Promise<Answer<Workbench>> {
  const session = await answer(api.session.$get());
  if (!session.ok) return session;
  const { entries, drafts } = await openBrowserStore(session.value.workspace);
  const outbox = new Outbox({
    store: entries,
    send: ({ dataset, rubric, rubric_hash }, events) =>
      answer(api.label.events.$post({ query: { dataset, rubric, rubric_hash }, json: { events } })),
    later,
    random: Math.random,
  });
  await outbox.open();
  return { ok: true, value: new Workbench(session.value, outbox, drafts) };
}

/** Runs something after so many milliseconds; gives what cancels it. */
export function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
