import { z } from 'zod';
import type { Failed, FailureClass } from './provider.ts';
import type { Redact } from './redact.ts';
import { retryAfterMs } from './retry-after.ts';
import { TransportFailure } from './transport-failure.ts';

/** What the SDKs throw for a status that is no success. */
const StatusError = z.object({
  status: z.number().int(),
  headers: z.instanceof(Headers),
  error: z.unknown(),
  message: z.string(),
});

/** The error body of any provider, with or without its outer `error`. */
const ErrorBody = z.object({
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string().nullish(),
  param: z.string().nullish(),
  /** Google's name of the error, and why: a reason, or the quotas that were used up. */
  status: z.string().nullish(),
  details: z
    .array(
      z.object({
        reason: z.string().optional(),
        violations: z.array(z.object({ quotaId: z.string().optional() })).optional(),
      }),
    )
    .nullish()
    .catch(null),
});
type ErrorBody = z.infer<typeof ErrorBody>;

export interface FailureContext {
  redact: Redact;
  now: () => number;
  /** The caller's own signal. */
  signal: AbortSignal;
}

/**
 * Turns what an SDK threw into a value.
 * @throws the error itself where it is neither the provider's answer nor the network's: then it is a bug.
 */
export function failureOf(error: unknown, context: FailureContext): Failed {
  const transport = transportOf(error);
  if (transport !== null) return fromTransport(transport, context.redact);
  if (context.signal.aborted) return failed('aborted', 'given up by us', { maybeBilled: true });
  const status = StatusError.safeParse(error);
  if (!status.success) throw error;
  return fromStatus(status.data, context);
}

/** A call without a reply, from its class and its words; all that is not given is unknown. */
export function failed(failure: FailureClass, message: string, more: Partial<Failed> = {}): Failed {
  return {
    status: 'failed',
    failure,
    httpStatus: null,
    retryAfterMs: null,
    message,
    maybeBilled: false,
    requestId: null,
    raw: null,
    ...more,
  };
}

function transportOf(error: unknown): TransportFailure | null {
  if (error instanceof TransportFailure) return error;
  return error instanceof Error && error.cause instanceof TransportFailure ? error.cause : null;
}

function fromTransport(failure: TransportFailure, redact: Redact): Failed {
  const answered = failure.fault === 'redirected';
  return failed(failure.fault, redact(failure.detail), { maybeBilled: failure.sent && !answered });
}

/** A request of a batch that was refused, from the status and the body that it was given. */
export function failedItem(status: number, error: unknown, context: FailureContext): Failed {
  return fromStatus({ status, error, headers: new Headers(), message: 'no reason given' }, context);
}

function fromStatus(error: z.infer<typeof StatusError>, { redact, now }: FailureContext): Failed {
  const body = bodyOf(error.error);
  const what = body.message ?? error.message;
  const kind = [body.type, body.status, body.code]
    .filter((part) => part !== undefined && part !== null && part !== error.status)
    .join(', ');
  return failed(
    classify(error.status, body),
    redact(`${error.status}${kind && ` (${kind})`}: ${what}`.slice(0, 2000)),
    {
      httpStatus: error.status,
      retryAfterMs: retryAfterMs(error.headers, now()),
      requestId: error.headers.get('x-request-id') ?? error.headers.get('request-id'),
      raw: error.error === undefined || error.error === null ? null : redact(JSON.stringify(error.error)),
    },
  );
}

function bodyOf(error: unknown): ErrorBody {
  const outer = z.object({ error: ErrorBody }).safeParse(error);
  if (outer.success) return outer.data.error;
  const inner = ErrorBody.safeParse(error);
  return inner.success ? inner.data : {};
}

const QUOTA = /^(insufficient_quota|billing_error|billing_hard_limit_reached|billing_not_active|.*PerDay.*)$/;
const FILTER = /^(content_filter|content_policy_violation|moderation_blocked)$/;
const LONG = /^(context_length_exceeded|request_too_large|string_above_max_length)$/;
const LONG_WORDS = /context (length|window)|prompt is too long|too many tokens|input token count/i;
const OVERLOADED = /^(overloaded(_error)?|UNAVAILABLE)$/;
const KEY = /^((authentication|permission)_error|API_KEY_INVALID)$/;
const UNSUPPORTED = /^unsupported_(value|parameter)$/;
const OUR_PARAMETERS =
  /\b(temperature|seed|reasoning_effort|effort|output_config|response_format|json_schema|tool_choice|max_tokens|max_completion_tokens|max_output_tokens|thinking|thinking_config|response_json_schema|generation_config)\b/i;

/** The class of an error reply. The body's own words go before the status, which providers reuse. */
function classify(status: number, body: ErrorBody): FailureClass {
  const words = wordsOf(body);
  const says = (pattern: RegExp) => words.some((word) => pattern.test(word));
  const text = body.message ?? '';
  if (status === 402 || says(QUOTA)) return 'quota';
  if (status === 529 || says(OVERLOADED)) return 'overloaded';
  if (status === 401 || status === 403 || says(KEY)) return 'auth';
  if (status === 404) return 'not_found';
  if (status === 413 || says(LONG) || (status === 400 && LONG_WORDS.test(text))) return 'too_long';
  if (says(FILTER)) return 'filtered';
  if (status === 400 && (says(UNSUPPORTED) || OUR_PARAMETERS.test(`${text} ${body.param ?? ''}`)))
    return 'unsupported';
  if (status === 429) return 'rate_limited';
  return status === 408 || status === 409 || status >= 500 ? 'server' : 'bad_request';
}

function wordsOf({ type, code, status, details }: ErrorBody): string[] {
  const reasons = (details ?? []).flatMap(({ reason, violations = [] }) => [
    reason ?? '',
    ...violations.map(({ quotaId }) => quotaId ?? ''),
  ]);
  return [type ?? '', String(code ?? ''), status ?? '', ...reasons];
}
