import type { JsonObject } from '../../core/json.ts';
import type { JudgeParams } from '../../core/judge.ts';
import type { Usage } from '../../core/trace.ts';

/** One turn of a conversation with a model. */
export interface Message {
  role: 'user' | 'assistant';
  text: string;
}

/** How the reply is asked for: a schema that the provider enforces, a tool call, or plain text. */
export interface OutputShape {
  mode: 'structured' | 'tool' | 'text';
  /** Name of the schema or the tool: letters, digits, underscore. */
  name: string;
  /** JSON Schema of the reply; not sent in text mode. */
  schema: JsonObject;
}

/** What is asked of a model, in no provider's own terms. */
export interface CompletionRequest {
  model: string;
  /** The part that is the same for every sample; providers cache it. Empty = none is sent. */
  system: string;
  /** Turns, the first and the last of them the user's. */
  messages: readonly Message[];
  params: JudgeParams;
  output: OutputShape;
  /** Which of several equal requests it is, from 1. Nothing of it is sent. */
  repeat: number;
}

/** Why a model stopped: only `stop` is a whole answer. */
export type Finish = 'stop' | 'length' | 'refusal' | 'filter' | 'context' | 'other';

/** A reply that has the provider's shape. Whether it says anything usable is for the reader of `text`. */
export interface Answered {
  status: 'answered';
  /** The text of the reply; in tool mode the tool's arguments as JSON, one line a call. */
  text: string;
  finish: Finish;
  /** What the provider said about an unusual finish (a refusal's category, the raw finish reason). */
  detail: string | null;
  usage: Usage | null;
  servedModel: string | null;
  fingerprint: string | null;
  requestId: string | null;
  /** The server says that it is the provider simulator. */
  simulator: boolean;
  /** The body as it came, without any key that it may have echoed. */
  raw: string;
}

/**
 * `unsupported` = the model does not take one of our parameters; `filtered` = a content filter refused the request;
 * `server` = 408, 409 and 5xx; `aborted` = our caller gave up; `bad_shape` = a body that is no reply of this provider.
 */
export type FailureClass =
  | 'auth'
  | 'not_found'
  | 'bad_request'
  | 'unsupported'
  | 'too_long'
  | 'filtered'
  | 'rate_limited'
  | 'quota'
  | 'overloaded'
  | 'server'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'bad_shape'
  | 'redirected';

/** A call without a reply. */
export interface Failed {
  status: 'failed';
  failure: FailureClass;
  httpStatus: number | null;
  /** How long the provider asks to wait, milliseconds; null = it said nothing usable. */
  retryAfterMs: number | null;
  /** What happened, in words, without any key. */
  message: string;
  /** The request was sent and no answer to it was read: it may have been done and billed. */
  maybeBilled: boolean;
  requestId: string | null;
  raw: string | null;
}

export type Completion = Answered | Failed;

/** A batch as its provider tells of it. */
export interface RemoteBatch {
  status: 'batch';
  id: string;
  /** `ended` = whatever there are of results can be fetched; `refused` = nothing of it was done, and it says why. */
  phase: 'working' | 'ended' | 'refused';
  /** The provider's own word for its state. */
  state: string;
  done: number;
  failed: number;
  /** What is wrong with the file. */
  faults: readonly BatchFault[];
  /** What of it can be fetched, in the provider's terms. */
  files: readonly string[];
}

/** `line` counts from 1; null = it is about the whole. `full` = too much is queued already: later may do. */
export interface BatchFault {
  line: number | null;
  message: string;
  full: boolean;
}

/** One thing that the results of a batch tell. */
export type BatchResult =
  | { tells: 'reply'; id: string; completion: Completion }
  /** It was neither done nor billed: the batch ended before its turn came. */
  | { tells: 'undone'; id: string; why: 'expired' | 'cancelled' }
  /** A line that names no request. */
  | { tells: 'nothing'; text: string }
  /** Results, or the rest of them, that can't be fetched. */
  | { tells: 'unfetched'; failure: Failed };

/** By what a batch is found again whose id was lost. */
export interface BatchTrace {
  marker: string;
  /** It was created at this time or later, milliseconds since the epoch; the clocks may differ a little. */
  since: number;
  requests: number;
}

/** A provider's way to take many requests at once. As with single calls, each method sends once. */
export interface Batches {
  readonly most: { requests: number; bytes: number };
  /** A request as it stands in a batch. @param id 1 to 64 letters, digits, _ and -. */
  line(id: string, request: CompletionRequest): string;
  /** Hands a batch in. A failure that is `maybeBilled` may have made it. @param marker kept with the batch where that is possible. */
  submit(lines: readonly string[], marker: string, signal: AbortSignal): Promise<RemoteBatch | Failed>;
  look(id: string, signal: AbortSignal): Promise<RemoteBatch | Failed>;
  /** The batches that may be the one that was made; `sure` = the marker says so. */
  search(
    trace: BatchTrace,
    signal: AbortSignal,
  ): Promise<{ status: 'found'; batches: RemoteBatch[]; sure: boolean } | Failed>;
  /** Streams what came of a batch, in any order, whether or not it makes sense. */
  results(batch: RemoteBatch, mode: OutputShape['mode'], signal: AbortSignal): AsyncGenerator<BatchResult>;
}

/** One model provider. It sends each request once: no retries, no redirects, one deadline over the whole call. */
export interface Provider {
  /** Its answers come from a simulator and are marked so everywhere. */
  readonly simulated: boolean;
  /** @returns what came of it; rejects only on a bug. An abort of `signal` ends the call as `aborted`. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
  /** Takes many requests at once and answers within a day, for less; absent where it does not. */
  readonly batches?: Batches;
  /** Closes its connections. */
  close(): Promise<void>;
}
