import { z } from 'zod';
import { badRequest, type Dialect, type SimulatedError } from './call.ts';

/** What goes wrong with one batch. */
export type BatchFault =
  /** Every request of it fails. */
  | { kind: 'errors'; status: number; type: string; message: string }
  /** It ends before its time, with so many answers. @param silent its files do not tell of the rest. */
  | { kind: 'partial'; end: 'expired' | 'cancelled'; answered: number; silent?: boolean }
  /** OpenAI's check of the file finds faults on these lines. */
  | { kind: 'invalid'; lines: number[]; code?: string }
  /** What it came to is not there, the first so many times that it is fetched. */
  | { kind: 'gone'; times: number }
  /** Results in another order, one twice, one missing, one of somebody else's, one that is no JSON. */
  | { kind: 'disorder' }
  /** It is made, and nobody hears of it: the connection dies, or is held open. */
  | { kind: 'untold'; how: 'cut' | 'hold' }
  /** It is not made. */
  | { kind: 'unmade'; status: number; type: string; message: string };

export interface BatchItem {
  id: string;
  body: unknown;
}

/** What one request of a batch came to. */
export type ItemEnd =
  | { end: 'answered'; body: unknown }
  | { end: 'failed'; error: SimulatedError }
  | { end: 'expired' | 'cancelled' };

export interface SimulatedBatch {
  id: string;
  number: number;
  metadata: Record<string, string>;
  endpoint: string;
  dialect: Dialect;
  items: BatchItem[];
  createdAt: number;
  /** How often it was asked for. */
  looks: number;
  fetched: number;
  fault: BatchFault | null;
  /** Null until it has ended. */
  ends: { id: string; end: ItemEnd }[] | null;
}

/** Answers one request as a call of its own would be answered. */
export type AnswerItem = (dialect: Dialect, body: unknown) => ItemEnd;

export interface BatchDeskOptions {
  /** Looks that find it still at work. */
  looks: number;
  faults: (batch: SimulatedBatch) => BatchFault | null;
  answer: AnswerItem;
}

/** The batches of one simulated provider, in no wire format. */
export class BatchDesk {
  readonly all: SimulatedBatch[] = [];
  readonly #options: BatchDeskOptions;

  constructor(options: BatchDeskOptions) {
    this.#options = options;
  }

  /** @returns the batch, or why it is not made. */
  create(
    made: Pick<SimulatedBatch, 'dialect' | 'endpoint' | 'items' | 'metadata'>,
  ): SimulatedBatch | { error: SimulatedError } {
    const number = this.all.length + 1;
    const batch: SimulatedBatch = {
      ...made,
      id: `batch_${number}`,
      number,
      createdAt: Date.now(),
      looks: 0,
      fetched: 0,
      fault: null,
      ends: null,
    };
    batch.fault = this.#options.faults(batch);
    if (batch.fault?.kind === 'unmade') {
      const { status, type, message } = batch.fault;
      return badRequest(message, { status, type });
    }
    if (new Set(made.items.map(({ id }) => id)).size < made.items.length)
      return badRequest('custom_id must be unique');
    this.all.push(batch);
    return batch;
  }

  /** Finds a batch and lets time pass for it. */
  look(id: string): SimulatedBatch | null {
    const batch = this.all.find((one) => one.id === id);
    if (batch === undefined) return null;
    if (batch.looks++ >= this.#options.looks && batch.fault?.kind !== 'invalid')
      batch.ends ??= this.#carryOut(batch);
    return batch;
  }

  /** The results as they can be fetched; null = they are gone. */
  fetch(batch: SimulatedBatch): { id: string; end: ItemEnd }[] | null {
    batch.fetched++;
    if (batch.fault?.kind === 'gone' && batch.fetched <= batch.fault.times) return null;
    const ends = batch.ends ?? [];
    if (batch.fault?.kind === 'partial' && batch.fault.silent === true)
      return ends.filter(({ end }) => end.end === 'answered');
    if (batch.fault?.kind !== 'disorder') return ends;
    const [first, ...rest] = ends;
    if (first === undefined) return [];
    return [...rest.slice(0, -1).reverse(), first, first, { id: 'somebody-elses', end: first.end }];
  }

  #carryOut({ fault, items, dialect }: SimulatedBatch): { id: string; end: ItemEnd }[] {
    return items.map(({ id, body }, index) => {
      if (fault?.kind === 'errors') {
        const { status, type, message } = fault;
        return { id, end: { end: 'failed', ...badRequest(message, { status, type }) } };
      }
      if (fault?.kind === 'partial' && index >= fault.answered) return { id, end: { end: fault.end } };
      return { id, end: this.#options.answer(dialect, body) };
    });
  }
}

/** A reply to a request about batches. */
export type BatchReply =
  | { json: unknown; status?: number }
  | { lines: unknown[] }
  | { untold: 'cut' | 'hold' };

export function refusal({ error }: { error: SimulatedError }, dialect: Dialect): BatchReply {
  return { status: error.status, json: dialect.error(error) };
}

export const Metadata = z.record(z.string().max(64), z.string().max(512));
