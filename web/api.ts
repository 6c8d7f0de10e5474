import { type ClientResponse, hc } from 'hono/client';
import type { AgreementReport } from '../core/agreement.ts';
import type { Calibration, CalibrationDraft } from '../core/calibration.ts';
import type { ProblemReport } from '../core/problem.ts';
import type { Sample, SampleContent } from '../core/sample.ts';
import type { Api } from '../server/app.ts';

const BASE = '/api';

/** Milliseconds after which a silent server counts as gone. */
const DEADLINE = 120_000;

/** The server's routes, typed by the server itself. */
export const api = hc<Api>(BASE, {
  fetch: (input: RequestInfo | URL, init?: RequestInit) =>
    fetch(input, { signal: AbortSignal.timeout(DEADLINE), ...init }),
});

/** What a request came to; status 0 = nobody answered. */
export type Answer<T> = { ok: true; value: T } | { ok: false; status: number; problem: ProblemReport };

/** The body of a route's good answer. */
export type Body<Sent> = Sent extends ClientResponse<infer T, 200, 'json'> ? Own<T> : never;

/** The client's types of JSON values and of keys that may be absent are not core's: what holds such gets core's type back. */
type Own<T> = T extends { content_hash: string }
  ? Sample
  : T extends { kind: 'trace' }
    ? Extract<SampleContent, { kind: 'trace' }>
    : T extends { n_gold: number }
      ? AgreementReport
      : T extends { refusals: string[] }
        ? CalibrationDraft
        : T extends { calibration: string; judge_hash: string }
          ? Calibration
          : T extends readonly (infer Item)[]
            ? Own<Item>[]
            : T extends object
              ? { [Name in keyof T]: Own<T[Name]> }
              : T;

/** Hears a request out: its value, or the Problem that the server told, or that nobody answered. */
export function answer<Sent extends ClientResponse<unknown>>(
  sent: Promise<Sent>,
): Promise<Answer<Body<Sent>>> {
  return hear<Body<Sent>>(sent);
}

async function hear<T>(sent: Promise<Pick<Response, 'ok' | 'status' | 'json'>>): Promise<Answer<T>> {
  try {
    const response = await sent;
    const body: unknown = await response.json();
    if (response.ok) return { ok: true, value: body as T };
    return {
      ok: false,
      status: response.status,
      problem: isProblem(body) ? body : unreadable(response.status),
    };
  } catch (error) {
    return { ok: false, status: 0, problem: silence(error) };
  }
}

function isProblem(body: unknown): body is ProblemReport {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'remedy' in body;
}

function unreadable(status: number): ProblemReport {
  return {
    code: 'unreadable',
    message: `the server answered with status ${status} and no reason`,
    remedy: 'Look at the terminal of `touchstone serve`.',
  };
}

function silence(error: unknown): ProblemReport {
  const late = error instanceof DOMException && error.name === 'TimeoutError';
  return {
    code: late ? 'late' : 'no_server',
    message: late ? 'the server took too long' : 'the server doesn’t answer',
    remedy: 'Is `touchstone serve` still running? Start it again on the same port; then try again.',
  };
}

type Got<Call extends (...args: never[]) => Promise<unknown>> = Body<Awaited<ReturnType<Call>>>;

export type Session = Got<typeof api.session.$get>;
export type Overview = Got<typeof api.overview.$get>;
export type DatasetList = Got<typeof api.datasets.$get>;
export type DatasetView = DatasetList['datasets'][number];
export type SamplePage = Got<(typeof api.datasets)[':dataset']['samples']['$get']>;
export type Ratings = Got<(typeof api.datasets)[':dataset']['samples'][':sample']['ratings']['$get']>;
export type ImportView = Got<(typeof api.datasets)[':dataset']['import']['$post']>;
export type RubricList = Got<typeof api.rubrics.$get>;
export type RubricView = RubricList['rubrics'][number];
export type JudgeList = Got<typeof api.judges.$get>;
export type JudgeView = JudgeList['judges'][number];
export type JudgeParts = Got<(typeof api.judges)[':ref']['$get']>;
export type RunView = Got<(typeof api.runs)['$get']>['runs'][number];
export type RunDetail = Got<(typeof api.runs)[':run']['$get']>;
export type RunPlan = Got<(typeof api.runs)['plan']['$post']>;
export type VerdictStory = Got<(typeof api.verdicts)[':verdict']['$get']>;
export type VerdictPlace = Got<(typeof api.verdicts)[':verdict']['place']['$get']>;
export type LabelSetView = Got<(typeof api)['label-sets']['$get']>['label_sets'][number];
export type Queue = Got<typeof api.label.queue.$get>;
export type QueueItem = Queue['items'][number];
export type BlindItem = Got<(typeof api.label.items)[':sample']['$get']>;
export type CalibrationView = Got<typeof api.calibrations.$get>['calibrations'][number];

type ImportQuery = Parameters<(typeof api.datasets)[':dataset']['import']['$post']>[0]['query'];

/** Sends a file to be imported, as it is. */
export function sendFile(dataset: string, query: ImportQuery, file: File): Promise<Answer<ImportView>> {
  const path = api.datasets[':dataset'].import.$path({ param: { dataset }, query });
  return hear(
    fetch(BASE + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: file,
    }),
  );
}
