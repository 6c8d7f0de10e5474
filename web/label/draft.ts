import type { Span } from '../../core/evidence.ts';

/** What a person has marked and written on a question that they have not answered yet. */
export interface Draft {
  evidence: Span[];
  note: string;
  unsure: boolean;
}

/** Keeps drafts over reloads; a key is a prefix for the labelling at hand and a question in it. */
export interface DraftStore {
  load: (prefix: string) => Promise<Map<string, Draft>>;
  put: (key: string, draft: Draft | null) => Promise<void>;
}
