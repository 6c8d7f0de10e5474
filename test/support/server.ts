import { createReadStream } from 'node:fs';
import { hc } from 'hono/client';
import { nativeDigest } from '../../harness/digest.ts';
import { parseMapping } from '../../harness/formats/in/mapping.ts';
import { loadRubric } from '../../harness/workspace/rubrics.ts';
import { type Api, createApp } from '../../server/app.ts';
import { openStore } from '../../server/db/store.ts';
import { importFile } from '../../server/import.ts';
import { RunDesk } from '../../server/run-desk.ts';
import type { Services } from '../../server/services.ts';
import type { TemporaryWorkspace } from './workspace.ts';

const HOST = '127.0.0.1:4646';

export interface TestServer {
  services: Services;
  /** The typed client of a signed-in person. */
  as: (annotator: string) => ReturnType<typeof hc<Api>>;
  /** A raw request, Host set. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** A fresh session token. */
  signIn: (annotator?: string) => string;
  close: () => void;
}

/** The real app over a temporary workspace, asked without a socket. */
export function testServer(workspace: TemporaryWorkspace, env: Record<string, string> = {}): TestServer {
  let ids = 0;
  let clock = Date.parse('2026-03-01T08:00:00Z');
  const now = () => {
    clock += 1000;
    return new Date(clock);
  };
  const newToken = () => `token-${String(++ids).padStart(40, '0')}`;
  const store = openStore(workspace, { now: () => now().toISOString(), command: 'test' });
  const runs = new RunDesk({ workspace, store, env, now, newId: () => `run_${++ids}`, random: () => 0.5 });
  const services: Services = { workspace, store, runs, now, newToken };
  const app = createApp({
    ...services,
    hosts: () => new Set([HOST]),
    ui: new Map([
      [
        '/index.html',
        {
          bytes: new TextEncoder().encode('<!doctype html>'),
          type: 'text/html; charset=utf-8',
          immutable: false,
        },
      ],
    ]),
    redeem: (token) => (token === 'good-link' ? signIn() : null),
    report: (id, error) => {
      throw new Error(`internal error ${id}`, { cause: error });
    },
  });
  const signIn = (annotator?: string) => {
    const token = newToken();
    store.sessions.create(token, now());
    if (annotator !== undefined) store.sessions.setAnnotator(token, annotator);
    return token;
  };
  const fetch = async (path: string, init: RequestInit = {}) =>
    app.request(`http://${HOST}${path}`, {
      ...init,
      headers: { host: HOST, ...Object.fromEntries(new Headers(init.headers)) },
    });
  const clients = new Map<string, ReturnType<typeof hc<Api>>>();
  const as = (annotator: string) => {
    const known = clients.get(annotator);
    if (known !== undefined) return known;
    const client = hc<Api>('/api', {
      headers: { authorization: `Bearer ${signIn(annotator)}` },
      fetch: (input: string | URL | Request, init?: RequestInit) => fetch(String(input), init),
    });
    clients.set(annotator, client);
    return client;
  };
  return { services, as, fetch, signIn, close: () => store.close() };
}

/** Imports one of the example's sample files. */
export async function importExample(
  server: TestServer,
  dataset: 'refund-replies' | 'refund-pairs',
  rubric: string,
): Promise<void> {
  const { workspace, store, now } = server.services;
  await importFile(store, createReadStream(`${workspace.root}/labels/${dataset}/samples.jsonl`), {
    dataset,
    format: 'jsonl',
    kind: dataset === 'refund-pairs' ? 'pair' : 'single',
    mapping: parseMapping([]),
    criterion: null,
    rubric: loadRubric(workspace, rubric).rubric,
    digest: nativeDigest,
    now: now().toISOString(),
  });
}
