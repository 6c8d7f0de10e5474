import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { setCookie } from 'hono/cookie';
import { Problem } from '../core/problem.ts';
import { COOKIE, headers, sameSite, signedIn } from './guard.ts';
import { agreementRoutes } from './routes/agreement.ts';
import { calibrationRoutes } from './routes/calibrations.ts';
import { datasetRoutes } from './routes/datasets.ts';
import { judgeRoutes } from './routes/judges.ts';
import { labelRoutes } from './routes/labels.ts';
import { overviewRoutes } from './routes/overview.ts';
import type { AppEnv } from './routes/route.ts';
import { rubricRoutes } from './routes/rubrics.ts';
import { runRoutes } from './routes/runs.ts';
import { sessionRoutes } from './routes/session.ts';
import { verdictRoutes } from './routes/verdicts.ts';
import type { Services } from './services.ts';
import type { Asset } from './ui.ts';

export interface AppOptions extends Services {
  /** Exactly the `host:port` names that requests may use. */
  hosts: () => ReadonlySet<string>;
  /** The UI's files by path. */
  ui: ReadonlyMap<string, Asset>;
  /** Turns a link's one-time token into a browser's session; null where it is used up or unknown. */
  redeem: (token: string) => string | null;
  /** Where an unexpected error is told, with the id that the client was given. */
  report: (id: string, error: unknown) => void;
}

const API_BODY = 1024 * 1024;

/** The whole server over HTTP; its type is what the web client sees. */
export function createApp(options: AppOptions) {
  const app = new OpenAPIHono<AppEnv>();
  app.use(headers());
  app.use(sameSite(options));
  app.onError((error, c) => {
    if (error instanceof Problem) return Response.json(error.report(), { status: error.status });
    const id = options.newToken().slice(0, 12);
    options.report(id, error);
    return c.json(
      {
        code: 'internal',
        message: `something went wrong (${id})`,
        remedy: 'The server’s terminal says more under this id.',
      },
      500,
    );
  });
  app.notFound((c) =>
    c.json({ code: 'not_found', message: 'there is nothing here', remedy: 'Go to the start page.' }, 404),
  );
  app.get('/', (c, next) => {
    const token = c.req.query('token');
    if (token === undefined) return next();
    const session = options.redeem(token);
    if (session === null) {
      throw new Problem('used_link', 'this link was used before or belongs to another start', {
        remedy:
          'Open the link that `touchstone serve` printed last, or go to the start page if this browser is signed in.',
        status: 410,
      });
    }
    setCookie(c, COOKIE, session, { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 30 * 24 * 3600 });
    return c.redirect('/', 303);
  });
  const api = apiOf(options);
  app.route('/api', api);
  app.get('*', (c) => serve(options.ui, c.req.path));
  return app;
}

function apiOf(options: AppOptions) {
  const api = new OpenAPIHono<AppEnv>();
  const limited = bodyLimit({
    maxSize: API_BODY,
    onError: () => {
      throw new Problem('too_large', `a request holds at most ${API_BODY} bytes`, {
        remedy: 'Send less at once.',
        status: 413,
      });
    },
  });
  api.use((c, next) => (c.req.path.endsWith('/import') ? next() : limited(c, next)));
  api.use(signedIn({ sessions: options.store.sessions, now: options.now }));
  api.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Touchstone',
      version: '1',
      description: 'Any status but 200 carries {code, message, remedy, at?, details?}.',
    },
  });
  return api
    .route('/', sessionRoutes(options))
    .route('/', overviewRoutes(options))
    .route('/', datasetRoutes(options))
    .route('/', rubricRoutes(options))
    .route('/', judgeRoutes(options))
    .route('/', labelRoutes(options))
    .route('/', runRoutes(options))
    .route('/', agreementRoutes(options))
    .route('/', calibrationRoutes(options))
    .route('/', verdictRoutes(options));
}

/** The API as the web client types it: `hc<Api>('/api')`. */
export type Api = ReturnType<typeof apiOf>;

function serve(ui: ReadonlyMap<string, Asset>, path: string): Response {
  const asset = ui.get(path === '/' ? '/index.html' : path);
  if (asset === undefined)
    throw new Problem('not_found', 'there is nothing here', { remedy: 'Go to the start page.', status: 404 });
  return new Response(asset.bytes, {
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  });
}
