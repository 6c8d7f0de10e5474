import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../core/problem.ts';
import { type OpenOptions, openProvider } from '../../../harness/provider/open.ts';
import { CANARY, requestOf } from './open-test-provider.ts';

const OPTIONS: OpenOptions = {
  config: { endpoints: {}, base_urls: {}, models: [] },
  env: { OPENAI_API_KEY: CANARY, ANTHROPIC_API_KEY: CANARY },
  root: '/nowhere',
  connections: 1,
  deadlineMs: 5000,
  now: () => 0,
};

async function problem(
  judge: Parameters<typeof openProvider>[0],
  more: Partial<OpenOptions>,
): Promise<Problem> {
  const found: unknown = await openProvider(judge, { ...OPTIONS, ...more }).catch((error: unknown) => error);
  if (!(found instanceof Problem)) throw new Error('it opened');
  return found;
}

const openai = { provider: 'openai', endpoint: null } as const;
const local = { provider: 'openai-compatible', endpoint: 'local' } as const;
const endpoint = (base_url: string) => ({
  base_urls: {},
  models: [],
  endpoints: { local: { base_url, simulated: false } },
});

describe('opening a provider', () => {
  it('needs none for a baseline', async () => {
    expect(await openProvider({ provider: 'baseline', endpoint: null }, OPTIONS)).toBeNull();
  });

  it('names the variable of a missing key', async () => {
    expect(await problem(openai, { env: {} })).toMatchObject({
      code: 'no_key',
      message: 'OPENAI_API_KEY is not set',
    });
  });

  it.each([`${CANARY}\nX-Evil: 1`, `${CANARY} ${CANARY}`, `${CANARY}\u0000`, `„${CANARY}“`])(
    'refuses a key that no header can carry, and does not show it',
    async (key) => {
      const refused = await problem(openai, { env: { OPENAI_API_KEY: key } });
      expect(refused.code).toBe('bad_key');
      expect(JSON.stringify(refused.report())).not.toContain('canary');
    },
  );

  it('takes either name of a key for Google, the first one first', async () => {
    const google = { provider: 'google', endpoint: null } as const;
    expect(await problem(google, { env: {} })).toMatchObject({ message: 'GEMINI_API_KEY is not set' });
    for (const env of [{ GEMINI_API_KEY: CANARY, GOOGLE_API_KEY: 'bad key' }, { GOOGLE_API_KEY: CANARY }]) {
      const provider = await openProvider(google, { ...OPTIONS, env });
      await provider?.close();
      expect(provider).not.toBeNull();
    }
  });

  it('trims a key', async () => {
    const provider = await openProvider(openai, { ...OPTIONS, env: { OPENAI_API_KEY: `  ${CANARY}\n` } });
    await provider?.close();
    expect(provider).not.toBeNull();
  });

  it.each([
    'http://judge.example.com/v1',
    'ftp://127.0.0.1/',
    'not a url',
    'https://user:pass@judge.example.com',
  ])('refuses the base URL %s', async (url) => {
    expect((await problem(local, { config: endpoint(url) })).code).toBe('bad_base_url');
    expect((await problem(openai, { env: { ...OPTIONS.env, OPENAI_BASE_URL: url } })).code).toBe(
      'bad_base_url',
    );
  });

  it.each([
    'http://localhost:11434/v1',
    'http://127.0.0.1:8000',
    'http://[::1]:8000/v1',
    'https://judge.example.com',
  ])('takes the base URL %s', async (url) => {
    const provider = await openProvider(local, { ...OPTIONS, config: endpoint(url) });
    await provider?.close();
    expect(provider?.simulated).toBe(false);
  });

  it('names an endpoint that touchstone.yaml lacks', async () => {
    expect(await problem(local, {})).toMatchObject({
      code: 'unknown_endpoint',
      message: 'touchstone.yaml names no endpoint "local"',
    });
  });

  it('goes through the proxy of the environment', async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const env = {
      ...OPTIONS.env,
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      OPENAI_BASE_URL: 'https://judge.invalid/v1',
    };
    const provider = await openProvider(openai, { ...OPTIONS, env });
    const completion = await provider?.complete(requestOf('openai'), new AbortController().signal);
    await provider?.close();
    proxy.close();
    expect(completion).toMatchObject({ failure: 'network', maybeBilled: false });
    expect(asked).toEqual(['judge.invalid:443']);
  });
});
