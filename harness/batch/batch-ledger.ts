/** A batch that has not come to its end in our books. */
export interface OpenBatch {
  id: number;
  run: string;
  /** Names it at the provider, where the provider keeps such names. */
  marker: string;
  /** `filling` = surely never handed in; `sending` = perhaps; `sent` = the provider gave it an id. */
  state: 'filling' | 'sending' | 'sent';
  /** The provider's id; null = not known. */
  remote: string | null;
  /** When it was handed in, or begun. */
  at: string;
  /** Calls that it holds. */
  requests: number;
}

/** `unmade` = the provider never had it; `refused` = it did none of it; `given_up` = what it did can't be fetched. */
export type BatchEnd = 'taken' | 'unmade' | 'refused' | 'given_up';

/** A call as it went out with a batch. */
export interface BatchedCall {
  attempt: number;
  key: string;
  sample: string;
  /** What came of it is written down. */
  settled: boolean;
}

/** Where batches are written down; each promise resolves only when that is on disk. */
export interface BatchLedger {
  /** @returns the batch's id, for the intents of its calls. */
  begin(run: string, marker: string, at: string): Promise<number>;
  /** It is about to be handed in: from now on the provider may have it. */
  sending(batch: number, at: string): Promise<void>;
  sent(batch: number, remote: string): Promise<void>;
  end(batch: number, how: BatchEnd, why: string, at: string): Promise<void>;
  /** The batches of a run that have not ended, oldest first. */
  open(run: string): OpenBatch[];
  /** Is this batch of the provider's known under any of ours? */
  knows(remote: string): boolean;
  find(batch: number, key: string): BatchedCall | null;
  /** The call on a line, from 1. */
  onLine(batch: number, line: number): BatchedCall | null;
  /** Calls of which nothing is written down yet. */
  waiting(batch: number): BatchedCall[];
  /** Puts aside a result that names no call of the batch. */
  putAside(batch: number, text: string): Promise<void>;
}
