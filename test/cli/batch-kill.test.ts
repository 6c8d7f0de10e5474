import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CANARY, MODELS } from '../harness/provider/open-test-provider.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { cli, startCli } from '../support/cli.ts';
import { TONE_JUDGE, TONE_RUBRIC } from '../support/tone.ts';
import { temporaryWorkspace } from '../support/workspace.ts';

it.each(['openai', 'anthropic'] as const)(
  'a process killed between making a batch on %s and hearing its id finds it again, and hands in nothing twice',
  async (provider) => {
    await using simulator = await createSimulator({ batchFaults: () => ({ kind: 'untold', how: 'hold' }) });
    const rows = Array.from({ length: 5 }, (_, i) =>
      JSON.stringify({
        id: `r${i}`,
        input: `Order ${i} is late.`,
        output: `Hello, order ${i} arrives soon.`,
      }),
    );
    await using workspace = temporaryWorkspace({
      'rubrics/tone/v1.yaml': TONE_RUBRIC,
      'judges/polite/v1.yaml': `${TONE_JUDGE.slice(0, TONE_JUDGE.indexOf('provider:'))}provider: ${provider}\nmodel: ${MODELS[provider]}\n`,
      'rows.jsonl': rows.join('\n'),
    });
    const env = {
      OPENAI_API_KEY: CANARY,
      ANTHROPIC_API_KEY: CANARY,
      OPENAI_BASE_URL: `${simulator.origin}/v1`,
      ANTHROPIC_BASE_URL: simulator.origin,
      TOUCHSTONE_SIMULATED: '1',
    };
    const imported = await cli(
      ['import', 'rows.jsonl', '--dataset', 'd', '--rubric', 'tone@1'],
      workspace.root,
    );
    expect(imported.code).toBe(0);
    const run = ['judge', 'run', 'polite@1', '--dataset', 'd', '--batch', '--poll', '1'];
    const { child, ended } = startCli(run, workspace.root, env);
    while (simulator.batches.length === 0 && child.exitCode === null) await pause(5);
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    const again = await cli(run, workspace.root, env);
    expect(again.stderr).toBe('');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('batch batch_1: taken, 5 results taken in');
    expect(simulator.batches).toHaveLength(1);
    expect(simulator.calls.filter(({ billed }) => billed)).toHaveLength(5);
    const listed = await cli(['judge', 'batches'], workspace.root);
    expect(listed.stdout).toContain('taken  batch_1  polite@1 over d: 5 of 5 settled');
    expect(again.stdout + listed.stdout).not.toContain(CANARY);
  },
  60_000,
);
