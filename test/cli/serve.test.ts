import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, startCli } from '../support/cli.ts';
import { exampleWorkspace, type TemporaryWorkspace } from '../support/workspace.ts';

/** The real server as a process: what a person starts and stops. */
let workspace: TemporaryWorkspace;
let started: ReturnType<typeof startCli>;
let link: URL;
beforeAll(async () => {
  workspace = exampleWorkspace();
  started = startCli(['serve', '--port', '0'], workspace.root);
  link = await new Promise((resolve, reject) => {
    let said = '';
    started.child.stdout.on('data', (chunk) => {
      said += chunk;
      const found = /http:\/\/\S+token=\S+/.exec(said);
      if (found !== null) resolve(new URL(found[0]));
    });
    started.ended.then(({ stderr }) => reject(new Error(`the server ended: ${stderr}`)));
  });
}, 60_000);
afterAll(async () => {
  started.child.kill('SIGKILL');
  await started.ended;
  await workspace[Symbol.asyncDispose]();
});

function get(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port: link.port, path, headers: { host: link.host, ...headers } },
      (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    )
      .on('error', reject)
      .end();
  });
}

/** Sends bytes as they are and gives the first line of the answer. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(link.port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
      socket.end();
    });
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
  });
}

describe.sequential('touchstone serve', () => {
  it('imports the datasets that the workspace names, and serves the pages', async () => {
    const page = await get('/');
    expect(page.status).toBe(200);
    expect(page.body).toContain('<script');
    expect(page.body).not.toMatch(/<script>|<style>|style="/);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('signs a browser in once with the link, and then answers it', async () => {
    expect((await get('/api/overview')).status).toBe(401);
    const first = await get(`${link.pathname}${link.search}`);
    expect(first.status).toBe(303);
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect((await get(`${link.pathname}${link.search}`)).status).toBe(410);
    const overview = await get('/api/overview', { cookie });
    expect(JSON.parse(overview.body)).toMatchObject({ counts: { datasets: 2, samples: 130, labelled: 0 } });
  });

  it.each([
    ['another name', 'GET / HTTP/1.1\r\nHost: evil.com\r\nConnection: close\r\n\r\n', '403'],
    ['no name', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['two names', 'GET / HTTP/1.1\r\nHost: PORT\r\nHost: evil.com\r\nConnection: close\r\n\r\n', '40'],
    [
      'an absolute form that names another',
      'GET http://evil.com/ HTTP/1.1\r\nHost: evil.com\r\nConnection: close\r\n\r\n',
      '40',
    ],
    [
      'a length and chunks at once',
      'POST /api/session/annotator HTTP/1.1\r\nHost: PORT\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n',
      '400',
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: PORT\r\nX: ${'x'.repeat(33_000)}\r\nConnection: close\r\n\r\n`,
      '431',
    ],
  ])('refuses %s', async (_, text, status) => {
    expect(await raw(text.replaceAll('PORT', link.host))).toContain(`HTTP/1.1 ${status}`);
  });

  it('holds the workspace: a second one is told who has it, and readers still read', async () => {
    const second = await cli(['serve', '--port', '0'], workspace.root);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`held by process ${started.child.pid}`);
    const writer = await cli(['freeze', 'refund-replies'], workspace.root);
    expect(writer.code).toBe(2);
    const reader = await cli(['agreement', 'refund-replies', '--json'], workspace.root);
    expect(reader.code).toBe(0);
  }, 60_000);

  it('opens no port to others', async () => {
    const open = await cli(['serve', '--host', '0.0.0.0', '--port', '0'], workspace.root);
    expect(open.code).toBe(2);
    expect(open.stderr).toContain("others, who can't sign in yet");
  }, 60_000);

  it('stops on a signal with exit code 0, and leaves nothing behind', async () => {
    started.child.kill('SIGTERM');
    const { code, stderr } = await started.ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain('Error');
    const again = await cli(['agreement', 'refund-replies', '--json'], workspace.root);
    expect(JSON.parse(again.stdout)).toEqual({ reports: [] });
  }, 60_000);
});
