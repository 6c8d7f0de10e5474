import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { z } from 'zod';
import { WorkspaceConfig } from '../core/workspace.ts';
import type { Ledger } from '../harness/judge/ledger.ts';
import { secureRandom } from '../harness/judge/nonce.ts';
import { createQuestions } from '../harness/judge/questions.ts';
import { runJudge } from '../harness/judge/run.ts';
import { openProvider } from '../harness/provider/open.ts';
import { sleep } from '../harness/provider/sleep.ts';
import { openStore } from '../server/db/store.ts';
import { resolved, samples } from '../test/harness/judge/fixture.ts';
import { createSimulator } from '../test/simulator/simulator.ts';

/*
 * Judging against a bare loop over the SDK in one run: the same prompts and schema, the same simulator in a process of
 * its own, 64 calls at a time of 20 ms each unless CONCURRENCY and LATENCY_MS say otherwise. The bare loop stores
 * nothing and checks nothing, and its prompts are rendered before its clock starts. The ratio is what is promised; walls
 * depend on the machine.
 */
const CALLS = Number(process.env.CALLS ?? 5000);
const CONCURRENCY = Number(process.env.CONCURRENCY ?? 64);
const LATENCY_MS = Number(process.env.LATENCY_MS ?? 20);
const ROUNDS = 3;

const Result = z.object({ wall: z.number(), cpu: z.number(), rss: z.number(), scored: z.number() });
type Result = z.infer<typeof Result>;

const judge = resolved();
const [role, origin = ''] = process.argv.slice(2);
if (role === 'simulator') await simulate();
else if (role === 'ours') report(await ours());
else if (role === 'bare') report(await bare());
else await compare();

async function compare(): Promise<void> {
  const simulator = child('simulator');
  const address = await message(simulator, z.string());
  const walls: Record<'ours' | 'bare', Result[]> = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ['bare', 'ours'] as const) {
      const result = await message(child(name, address), Result);
      walls[name].push(result);
      console.log(
        `${name}: ${result.scored} answers in ${result.wall.toFixed(0)} ms, ${result.cpu.toFixed(0)} ms of processor, peak memory ${(result.rss / 1e6).toFixed(0)} MB`,
      );
    }
  }
  simulator.kill();
  const ratio = (figure: 'wall' | 'cpu') => {
    const middle = (name: 'ours' | 'bare') =>
      walls[name].map((result) => result[figure]).sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ??
      0;
    return (middle('ours') / middle('bare')).toFixed(2);
  };
  console.log(
    `judge run: ${CALLS} calls, ${CONCURRENCY} at a time, ${LATENCY_MS} ms each, medians of ${ROUNDS} rounds`,
  );
  console.log(`ratio wall ours / bare SDK loop: ${ratio('wall')}`);
  console.log(`ratio processor ours / bare SDK loop: ${ratio('cpu')}`);
}

async function simulate(): Promise<void> {
  const { origin: address } = await createSimulator({ latencyMs: LATENCY_MS, anonymous: true });
  process.send?.(address);
}

async function ours(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const dataset = samples(CALLS);
  const store = openStore(
    { root: folder, config: WorkspaceConfig.parse({ name: 'bench' }) },
    { now: () => new Date().toISOString(), command: 'bench' },
  );
  const { id } = store.samples.ensureDataset('bench', null, new Date().toISOString());
  store.write(() => {
    for (const sample of dataset) store.samples.insert(id, sample);
  });
  const ledger: Ledger = store.runs;
  const provider = await openProvider(judge.judge, {
    config: { endpoints: {}, base_urls: {}, models: [] },
    root: folder,
    env: { OPENAI_API_KEY: 'sk-bench-0123456789', OPENAI_BASE_URL: `${origin}/v1` },
    connections: CONCURRENCY,
    deadlineMs: 60_000,
    now: Date.now,
  });
  const before = process.cpuUsage();
  const started = performance.now();
  const { scored } = await runJudge({
    id: 'bench',
    dataset: 'bench',
    resolved: judge,
    fit: null,
    examples: [],
    samples: dataset,
    total: CALLS,
    ledger,
    provider,
    config: { models: [], prices: [] },
    concurrency: CONCURRENCY,
    now: Date.now,
    random: secureRandom,
    sleep,
    signal: new AbortController().signal,
    onEvent: () => undefined,
  });
  const wall = performance.now() - started;
  const cpu = busy(before);
  await provider?.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
  return { wall, cpu, rss: peak(), scored };
}

async function bare(): Promise<Result> {
  const client = new OpenAI({ apiKey: 'sk-bench-0123456789', baseURL: `${origin}/v1` });
  const criterion = judge.rubric.criteria[0];
  if (criterion === undefined) throw new Error('no criterion');
  let count = 0;
  const nonce = () => (count++).toString(16).padStart(16, '0');
  const { prompt, output } = createQuestions(judge, [], nonce)([criterion], 'single', null);
  const prompts = samples(CALLS).map(({ content }) => prompt.user(content));
  const before = process.cpuUsage();
  const started = performance.now();
  let scored = 0;
  let next = 0;
  const worker = async () => {
    while (next < prompts.length) {
      const content = prompts[next++] ?? '';
      const reply = await client.chat.completions.create({
        model: judge.judge.model,
        messages: [
          { role: 'system', content: prompt.system },
          { role: 'user', content },
        ],
        max_completion_tokens: 800,
        response_format: {
          type: 'json_schema',
          json_schema: { name: output.name, schema: output.schema, strict: true },
        },
      });
      const verdict: unknown = JSON.parse(reply.choices[0]?.message.content ?? 'null');
      if (verdict !== null) scored++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { wall: performance.now() - started, cpu: busy(before), rss: peak(), scored };
}

function child(name: string, address = ''): ChildProcess {
  return fork(import.meta.filename, [name, address]);
}

function message<Shape extends z.ZodType>(from: ChildProcess, shape: Shape): Promise<z.infer<Shape>> {
  return new Promise((resolve, reject) => {
    from.once('message', (text) => resolve(shape.parse(text)));
    from.once('exit', (code) => reject(new Error(`a contender ended with ${code}`)));
  });
}

function report(result: Result): void {
  process.send?.(result, () => process.exit(0));
}

/** Processor time since then, milliseconds: what a run takes from the machine, however busy that is. */
function busy(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Peak resident memory, bytes. */
function peak(): number {
  return process.resourceUsage().maxRSS * 1024;
}
