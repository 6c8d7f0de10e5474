import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, testServer } from '../support/server.ts';
import { exampleWorkspace, type TemporaryWorkspace } from '../support/workspace.ts';

let workspace: TemporaryWorkspace;
let server: TestServer;
let token: string;
beforeAll(() => {
  workspace = exampleWorkspace();
  server = testServer(workspace);
  token = server.signIn('ann');
});
afterAll(async () => {
  server.close();
  await workspace[Symbol.asyncDispose]();
});

const OWN = '127.0.0.1:4646';
const BODY = JSON.stringify({ annotator: 'ann' });

async function status(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const response = await server.fetch(path, { method, headers, ...(method === 'POST' && { body: BODY }) });
  return response.status;
}

describe('a request under a name that is not ours is refused', () => {
  const names = [
    'evil.com',
    'evil.com:4646',
    '127.0.0.1',
    '127.0.0.1:80',
    '127.0.0.1.:4646',
    'localhost.evil.com:4646',
    '2130706433:4646',
    '0x7f000001:4646',
    '[::ffff:127.0.0.1]:4646',
    '127.0.0.1:4646.evil.com',
    '',
  ];
  for (const host of names) {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/api/session'],
      ['GET', '/api/openapi.json'],
      ['POST', '/api/session/annotator'],
    ] as const) {
      it(`${method} ${path} as ${host || '(none)'}`, async () => {
        expect(
          await status(method, path, {
            host,
            authorization: `Bearer ${token}`,
            origin: `http://${host}`,
            'content-type': 'application/json',
          }),
        ).toBe(403);
      });
    }
  }
});

describe('a write from another site is refused', () => {
  const cases: [string, Record<string, string>, number][] = [
    ['no origin and no bearer', { cookie: 'touchstone=TOKEN', 'content-type': 'application/json' }, 403],
    ['origin null', { cookie: 'touchstone=TOKEN', origin: 'null', 'content-type': 'application/json' }, 403],
    [
      'another port',
      { cookie: 'touchstone=TOKEN', origin: 'http://127.0.0.1:8080', 'content-type': 'application/json' },
      403,
    ],
    [
      'another name',
      { cookie: 'touchstone=TOKEN', origin: 'http://evil.com', 'content-type': 'application/json' },
      403,
    ],
    [
      'a name that begins like ours',
      { cookie: 'touchstone=TOKEN', origin: `http://${OWN}.evil.com`, 'content-type': 'application/json' },
      403,
    ],
    [
      'cross-site by its fetch metadata',
      {
        cookie: 'touchstone=TOKEN',
        origin: `http://${OWN}`,
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/json',
      },
      403,
    ],
    [
      'same-site by its fetch metadata',
      {
        cookie: 'touchstone=TOKEN',
        origin: `http://${OWN}`,
        'sec-fetch-site': 'same-site',
        'content-type': 'application/json',
      },
      403,
    ],
    [
      'a form',
      {
        cookie: 'touchstone=TOKEN',
        origin: `http://${OWN}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      415,
    ],
    [
      'plain text',
      { cookie: 'touchstone=TOKEN', origin: `http://${OWN}`, 'content-type': 'text/plain' },
      415,
    ],
    ['no type', { cookie: 'touchstone=TOKEN', origin: `http://${OWN}`, 'content-type': '' }, 415],
    [
      'an overridden method',
      {
        cookie: 'touchstone=TOKEN',
        origin: `http://${OWN}`,
        'content-type': 'application/json',
        'x-http-method-override': 'DELETE',
      },
      405,
    ],
    [
      'our own page',
      {
        cookie: 'touchstone=TOKEN',
        origin: `http://${OWN}`,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      200,
    ],
    ['a program with its token', { authorization: 'Bearer TOKEN', 'content-type': 'application/json' }, 200],
  ];
  for (const [what, headers, wanted] of cases) {
    it(`${what}: ${wanted}`, async () => {
      const real = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)]),
      );
      expect(await status('POST', '/api/session/annotator', real)).toBe(wanted);
    });
  }
});

describe('every API route asks who is there', () => {
  it('and answers 401 to nobody, a wrong token and a token in the query', async () => {
    const document = await (
      await server.fetch('/api/openapi.json', { headers: { authorization: `Bearer ${token}` } })
    ).json();
    const routes = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(routes.length).toBeGreaterThan(20);
    for (const [method, path] of routes) {
      const filled = `/api${path.replaceAll(/\{[^}]+\}/g, 'x')}`;
      const write = { origin: `http://${OWN}`, 'content-type': 'application/json' };
      for (const headers of [
        write,
        { ...write, authorization: `Bearer ${'x'.repeat(43)}` },
        { ...write, cookie: 'touchstone=wrong' },
      ]) {
        expect([method, path, await status(method, filled, headers)]).toEqual([method, path, 401]);
      }
      expect(await status(method, `${filled}?token=${token}`, write)).toBe(401);
    }
  });

  it('gives a browser its cookie for a link, once', async () => {
    const response = await server.fetch('/?token=good-link');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/');
    expect(response.headers.get('set-cookie')).toMatch(
      /^touchstone=token-\d+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect((await server.fetch('/?token=other')).status).toBe(410);
  });
});

describe('every answer', () => {
  it.each(['/', '/api/session', '/nothing', '/api/nothing', '/?token=bad'])(
    'carries the policy: %s',
    async (path) => {
      const { headers } = await server.fetch(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/%252e%252e/package.json',
    '/..%2fpackage.json',
    '/.env',
    '//etc/passwd',
    '/assets/../../package.json',
    '/\\..\\package.json',
    '/index.html%00',
    '/%c0%ae%c0%ae/package.json',
  ])('holds no byte from outside the built pages: %s', async (path) => {
    const response = await server.fetch(path);
    expect([400, 404]).toContain(response.status);
    expect(await response.text()).not.toContain('touchstone"');
  });

  it('to a body over the limit is 413', async () => {
    const response = await server.fetch('/api/session/annotator', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ annotator: 'x'.repeat(2_000_000) }),
    });
    expect(response.status).toBe(413);
  });

  it('to input that does not fit names the field and the way out', async () => {
    const response = await server.fetch('/api/session/annotator', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"annotator":"","extra":1}',
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('json.annotator'),
    });
  });
});
