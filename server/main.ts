import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Problem } from '../core/problem.ts';
import { secureRandom } from '../harness/judge/nonce.ts';
import type { Workspace } from '../harness/workspace/workspace.ts';
import { createApp } from './app.ts';
import { openStore } from './db/store.ts';
import { RunDesk } from './run-desk.ts';
import type { Services } from './services.ts';
import { loadUi } from './ui.ts';

export interface ServeOptions {
  workspace: Workspace;
  host: string;
  port: number;
  env: Readonly<Record<string, string | undefined>>;
  now: () => Date;
  /** Called once the database is open and before the first request. */
  prepare?: (services: Services) => Promise<void>;
  /** Where an unexpected error is told. */
  report: (id: string, error: unknown) => void;
}

export interface RunningServer {
  url: string;
  /** A link that signs one browser in, once. */
  link: () => string;
  services: Services;
  /** Stops taking requests, hears out what is in flight, ends runs so that they can be resumed, closes the database. */
  stop: () => Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);

/**
 * Serves the workbench of a workspace.
 * @throws Problem `open_bind` for any address but loopback, before the port opens; `owned` where another process serves it.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { workspace, host, port, env, now } = options;
  if (!LOOPBACK.has(host)) {
    throw new Problem(
      'open_bind',
      `serving on ${host} would open the workbench to others, who can't sign in yet`,
      {
        remedy: 'Serve on 127.0.0.1; reach it from elsewhere through an SSH tunnel.',
      },
    );
  }
  const ui = loadUi();
  const shown = `http://${host === '::1' ? '[::1]' : host}:${port}`;
  const store = openStore(workspace, { now: () => now().toISOString(), command: 'serve', url: shown });
  const newToken = () => randomBytes(32).toString('base64url');
  const runs = new RunDesk({
    workspace,
    store,
    env,
    now,
    newId: () => `run_${randomBytes(9).toString('base64url')}`,
    random: secureRandom,
  });
  const services: Services = { workspace, store, runs, now, newToken };
  const links = new Set<string>();
  let hosts: ReadonlySet<string> = new Set();
  const app = createApp({
    ...services,
    hosts: () => hosts,
    ui,
    redeem: (token) => {
      if (!links.delete(token)) return null;
      const session = newToken();
      store.write(() => store.sessions.create(session, now()));
      return session;
    },
    report: options.report,
  });
  const server = createServer(
    { requestTimeout: 300_000, headersTimeout: 10_000, maxHeaderSize: 32 * 1024, insecureHTTPParser: false },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  );
  server.maxConnections = 512;
  try {
    await options.prepare?.(services);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    store.close();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new Problem('port_taken', `port ${port} is taken`, {
        remedy: 'Stop what uses it, or choose another: touchstone serve --port 0.',
      });
    }
    throw error;
  }
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  hosts = new Set([
    `127.0.0.1:${bound}`,
    `localhost:${bound}`,
    `[::1]:${bound}`,
    ...workspace.config.server.hosts,
  ]);
  const url = `http://${host === '::1' ? '[::1]' : host}:${bound}`;
  return {
    url,
    link: () => {
      const token = newToken();
      links.add(token);
      return `${url}/?token=${token}`;
    },
    services,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await runs.stopAll();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 2000).unref();
      await closed;
      store.close();
    },
  };
}
