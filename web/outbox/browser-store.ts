import { type DBSchema, openDB } from 'idb';
import type { Draft, DraftStore } from '../label/draft.ts';
import type { Entry, EntryStore } from './entry.ts';

interface Schema extends DBSchema {
  events: { key: string; value: Entry };
  drafts: { key: string; value: Draft };
}

/** What this browser keeps of one workspace in IndexedDB: unsent events, and marks and notes of questions still open. */
export async function openBrowserStore(
  workspace: string,
): Promise<{ entries: EntryStore; drafts: DraftStore }> {
  const db = await openDB<Schema>(`touchstone ${workspace}`, 1, {
    upgrade(opened) {
      opened.createObjectStore('events', { keyPath: 'event.id' });
      opened.createObjectStore('drafts');
    },
  });
  return {
    entries: {
      load: () => db.getAll('events'),
      put: async (entry) => {
        await db.put('events', entry);
      },
      remove: async (ids) => {
        const change = db.transaction('events', 'readwrite');
        await Promise.all([...ids.map((id) => change.store.delete(id)), change.done]);
      },
    },
    drafts: {
      load: async (prefix) => {
        const within = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
        const [keys, values] = await Promise.all([
          db.getAllKeys('drafts', within),
          db.getAll('drafts', within),
        ]);
        return new Map(
          keys.flatMap((key, index) =>
            values[index] === undefined ? [] : [[key.slice(prefix.length), values[index]]],
          ),
        );
      },
      put: async (key, draft) => {
        if (draft === null) await db.delete('drafts', key);
        else await db.put('drafts', draft, key);
      },
    },
  };
}
