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

/** One model provider. It sends each request once: no retries, no redirects, one deadline over the whole call. */
export interface Provider {
  /** Its answers come from a simulator and are marked so everywhere. */
  readonly simulated: boolean;
  /** @returns what came of it; rejects only on a bug. An abort of `signal` ends the call as `aborted`. */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
  /** Closes its connections. */
  close(): Promise<void>;
}
