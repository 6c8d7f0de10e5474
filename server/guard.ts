import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { Problem } from '../core/problem.ts';
import type { Session, SessionStore } from './db/sessions.ts';

export const COOKIE = 'touchstone';

/** What the routes know of who asks. */
export interface Asker {
  token: string;
  session: Session;
}

export interface GuardOptions {
  /** Exactly the `host:port` names that requests may use. */
  hosts: () => ReadonlySet<string>;
  sessions: SessionStore;
  now: () => Date;
}

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every answer, errors and downloads included. */
export function headers(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    c.header('Content-Security-Policy', CSP);
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    if (c.req.path.startsWith('/api/')) c.header('Cache-Control', 'no-store');
  };
}

/**
 * Refuses requests that another site may have sent: the Host must be ours to the letter (a rebound name is not), a
 * write must come from our own origin or carry a bearer token, and hold JSON (or a file for an import).
 */
export function sameSite({ hosts }: Pick<GuardOptions, 'hosts'>): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host');
    if (host === undefined || !hosts().has(host))
      throw refuse('bad_host', `this server is not "${host ?? ''}"`, 403);
    const origin = c.req.header('origin');
    if (origin !== undefined && !isOwn(origin, host))
      throw refuse('bad_origin', 'the request comes from another site', 403);
    const site = c.req.header('sec-fetch-site');
    const write = c.req.method !== 'GET' && c.req.method !== 'HEAD';
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      const navigation =
        !write && c.req.header('sec-fetch-mode') === 'navigate' && !c.req.path.startsWith('/api/');
      if (!navigation) throw refuse('bad_origin', 'the request comes from another site', 403);
    }
    if (c.req.header('x-http-method-override') !== undefined)
      throw refuse('bad_method', 'methods are not overridden', 405);
    if (write) {
      if (origin === undefined && bearer(c) === null)
        throw refuse('bad_origin', 'a write needs an Origin or a bearer token', 403);
      const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim();
      const file = c.req.path.endsWith('/import') && type === 'application/octet-stream';
      if (type !== 'application/json' && !file)
        throw refuse('bad_type', 'the body must be application/json', 415);
    }
    await next();
  };
}

/** Every API route needs a session: the browser's cookie or a bearer token. */
export function signedIn({
  sessions,
  now,
}: Pick<GuardOptions, 'sessions' | 'now'>): MiddlewareHandler<{ Variables: { asker: Asker } }> {
  return async (c, next) => {
    const token = bearer(c) ?? getCookie(c, COOKIE) ?? '';
    const session = token === '' ? null : sessions.find(token, now());
    if (session === null)
      throw refuse(
        'signed_out',
        'this browser is not signed in',
        401,
        'Open the link that `touchstone serve` printed.',
      );
    c.set('asker', { token, session });
    await next();
  };
}

function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

function bearer(c: Context): string | null {
  const found = /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(c.req.header('authorization') ?? '');
  return found?.[1] ?? null;
}

function refuse(
  code: string,
  message: string,
  status: number,
  remedy = 'Use the address that `touchstone serve` printed, from this server’s own pages.',
): Problem {
  return new Problem(code, message, { remedy, status });
}
