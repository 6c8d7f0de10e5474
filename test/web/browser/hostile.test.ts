import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { identify, type Sample } from '../../../core/sample.ts';
import { planJudge, planSample } from '../../../harness/judge/plan.ts';
import { loadJudge } from '../../../harness/workspace/judges.ts';
import { median } from '../../../web/label/pace.ts';
import { openChromium } from './chromium.ts';
import { sampleInAddress } from './keyboard.ts';
import { PAYLOADS } from './payloads.ts';
import { open, signIn } from './signed-in.ts';
import { NO_MISDEEDS, watchedPage } from './watched-page.ts';
import { type TestWorkbench, testWorkbench } from './workbench.ts';

/** A text as SQLite and JSON keep it: a lone surrogate can't be written as UTF-8. */
const kept = (text: string) => text.toWellFormed();

/** Every payload in every field of a sample: single, pair and trace in turn. */
function samplesOf(): Sample[] {
  return PAYLOADS.map((payload, n) => {
    const text = kept(payload);
    const common = { input: text, context: text, reference: text };
    const origin = {
      external: text.slice(0, 400) + n,
      group: text.slice(0, 400),
      metadata: { [text.slice(0, 100)]: text.slice(0, 1000) },
    };
    if (n % 3 === 1)
      return identify({ kind: 'pair', ...common, outputs: { a: `${text}a`, b: `${text}b` } }, origin);
    if (n % 3 === 2) {
      const trace = {
        steps: [
          { type: 'message' as const, role: 'user' as const, content: text, tier: 'reported' as const },
          {
            type: 'tool' as const,
            tool: text.slice(0, 300),
            arguments: { text },
            ok: false,
            error: { code: text.slice(0, 50), message: text, retryable: false },
            events: [],
            tier: 'reported' as const,
          },
        ],
      };
      return identify({ kind: 'trace', ...common, output: text, trace }, origin);
    }
    return identify({ kind: 'single', ...common, output: text }, origin);
  });
}

/** The samples, with a hostile person's label and a hostile judge's verdict on each. */
function furnish(bench: TestWorkbench, samples: readonly Sample[]): void {
  const { store, now } = bench.services();
  const at = now().toISOString();
  store.write(() => {
    const { id } = store.samples.ensureDataset('hostile', 'refund-reply@1', at);
    samples.forEach((sample, n) => {
      const text = kept(PAYLOADS[n] ?? '');
      const inserted = store.samples.insert(id, sample);
      store.labels.append(
        inserted.seq,
        {
          id: crypto.randomUUID(),
          sample: sample.id,
          criterion: 'accuracy',
          what: { act: 'label', value: '1', unsure: false },
          evidence: [{ field: 'input', start: 0, end: Math.min(5, text.length), quote: text.slice(0, 5) }],
          note: text.slice(0, 8000),
          ms: 0,
          base: null,
          at,
          order: null,
        },
        { rubric: 'refund-reply@1', rubricHash: 'sha256:0', annotator: text.slice(0, 80), saw: 'blind' },
      );
      const judge = store.verdicts.judge(`foreign:${text.slice(0, 100)}`, 'foreign', false);
      store.verdicts.append(
        judge.id,
        inserted.seq,
        {
          criterion: 'accuracy',
          rubric_hash: 'sha256:0',
          order: null,
          repeat: 1,
          result: {
            outcome: 'scored',
            value: '1',
            reason: text.slice(0, 8000),
            quotes: [
              { field: 'input', quote: text.slice(0, 1000), status: 'unsupported', places: [] },
              {
                field: 'input',
                quote: text.slice(0, 5),
                status: 'exact',
                places: [{ start: 0, end: Math.min(5, text.length) }],
              },
            ],
          },
          served_model: text.slice(0, 100),
          fingerprint: null,
          at,
        },
        null,
      );
    });
  });
}

/** Every raw text on the page by its key. */
function textsOn(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('[data-text]')].map((node) => [
        node.getAttribute('data-text') ?? '',
        node.textContent ?? '',
      ]),
    ),
  );
}

function textsOf(sample: Sample | undefined): Record<string, string> {
  if (sample === undefined) return {};
  const { content } = sample;
  const { input, context = '', reference = '' } = content;
  const shared = { input, context, reference };
  if (content.kind === 'pair') return { ...shared, output_a: content.outputs.a, output_b: content.outputs.b };
  const { output = '' } = content;
  return { ...shared, output, ...(content.kind === 'trace' && { 'trace:1': input }) };
}

test('hostile texts are texts on the label page', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const { page, misdeeds } = await watchedPage(context, bench.url);
  const samples = samplesOf();
  furnish(bench, samples);
  await signIn(page, bench, '<img src=x onerror=alert(0)>');
  await open(page, bench, '#/label?dataset=hostile&rubric=refund-reply@1');
  const seen = new Set<string | null>();
  for (let n = 0; n < samples.length; n++) {
    await page.locator('section.judged').first().waitFor();
    const sample = samples.find(({ id }) => id === sampleInAddress(page));
    seen.add(sample?.id ?? null);
    expect(await textsOn(page)).toMatchObject(textsOf(sample));
    await page.keyboard.press('ArrowRight');
    if (n < samples.length - 1)
      await page.waitForFunction((was) => !location.hash.includes(was ?? ''), sample?.id);
  }
  expect(seen).toEqual(new Set(samples.map(({ id }) => id)));
  expect(misdeeds).toEqual(NO_MISDEEDS);
});

test('hostile texts, labels and verdicts are texts on the samples page', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const { page, misdeeds } = await watchedPage(context, bench.url);
  const samples = samplesOf();
  furnish(bench, samples);
  await signIn(page, bench, 'Ada');
  await open(page, bench, '#/samples?dataset=hostile');
  for (const [n, sample] of samples.entries()) {
    await page.evaluate((id) => {
      location.hash = `#/samples?dataset=hostile&sample=${id}`;
    }, sample.id);
    const detail = page.getByRole('region', { name: `Sample ${sample.id}` });
    await detail.getByRole('button', { name: 'Show what others said' }).click();
    await detail.getByRole('list', { name: 'Verdicts' }).waitFor();
    expect(await textsOn(page)).toMatchObject(textsOf(sample));
    const payload = kept(PAYLOADS[n] ?? '');
    expect(await detail.locator('.note').allTextContents()).toEqual([
      payload.slice(0, 8000),
      payload.slice(0, 8000),
    ]);
  }
  expect(misdeeds).toEqual(NO_MISDEEDS);
});

/** The samples, each with a call whose reply, model and verdict are hostile. @returns the verdicts by sample. */
async function furnishCalls(bench: TestWorkbench, samples: readonly Sample[]): Promise<number[]> {
  const { store, now, workspace } = bench.services();
  furnish(bench, samples);
  const loaded = loadJudge(workspace, 'simulated-accuracy@1');
  const plan = planJudge(loaded);
  const at = now().toISOString();
  const run = { id: 'run', judge: loaded.ref, judge_hash: loaded.hash, dataset: 'hostile', at };
  await store.runs.startRun({
    ...run,
    planned: samples.length,
    concurrency: 1,
    simulated: true,
    limit: null,
    budget_usd: null,
  });
  for (const [n, sample] of samples.entries()) {
    const text = kept(PAYLOADS[n] ?? '');
    const [call] = sample.content.kind === 'pair' ? [] : planSample(plan, sample);
    const planned = call?.planned ?? {
      key: `none-${n}`,
      sample: sample.id,
      criteria: ['accuracy'],
      order: null,
      repeat: 1,
    };
    const told = { served_model: text.slice(0, 100), fingerprint: text.slice(0, 100) };
    const verdict = {
      judge: loaded.ref,
      judge_hash: loaded.hash,
      rubric_hash: 'sha256:0',
      sample: sample.id,
      criterion: 'accuracy',
      order: null,
      repeat: 1,
      result: { outcome: 'invalid' as const, reason: text.slice(0, 8000), quotes: [] },
      ...told,
      at,
    };
    const receipt = {
      usage: null,
      cost_usd: null,
      request_id: text.slice(0, 100),
      ms: 1,
      lost: false,
      raw: text,
      ...told,
    };
    const attempt = { turn: 1, max_output_tokens: 800, ceiling_usd: null };
    const intent = await store.runs.intend('run', planned, attempt, at);
    if (!('id' in intent)) throw new Error('the budget refused the call');
    await store.runs.record(intent.id, receipt, [verdict], true);
  }
  const dataset = store.samples.dataset('hostile').id;
  return samples.map(({ id }) => {
    const seq = store.samples.find(id, dataset)?.seq ?? 0;
    return store.verdicts.ofSample(seq).find(({ judge }) => judge === loaded.ref)?.id ?? 0;
  });
}

test('hostile texts, replies and model names are texts in a verdict’s story', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const { page, misdeeds } = await watchedPage(context, bench.url);
  const samples = samplesOf();
  const verdicts = await furnishCalls(bench, samples);
  await signIn(page, bench, 'Ada');
  await open(page, bench, '#/verdict');
  for (const [n, sample] of samples.entries()) {
    await page.evaluate((id) => {
      location.hash = `#/verdict?id=${id}`;
    }, verdicts[n]);
    await page.getByRole('heading', { name: `Verdict ${verdicts[n]}` }).waitFor();
    await page.getByRole('button', { name: 'Show how this verdict came about' }).click();
    await page.getByRole('heading', { name: 'The prompt' }).waitFor();
    const payload = kept(PAYLOADS[n] ?? '');
    const texts = await textsOn(page);
    expect(texts).toMatchObject({ ...textsOf(sample), 'reply:1': payload });
    if (sample.content.kind !== 'pair') expect(texts['prompt:user']).toContain(`MARK]\n${payload}\n[END`);
  }
  expect(misdeeds).toEqual(NO_MISDEEDS);
});

test('a hostile prompt is text where two judge versions are compared', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const { page, misdeeds } = await watchedPage(context, bench.url);
  const prompt = PAYLOADS.map(kept).join('\n');
  const one = readFileSync(bench.workspace.path('judges/simulated-accuracy/v1.yaml'), 'utf8');
  const two = `${one.replace('version: 1', 'version: 2')}prompt: own.md\n`;
  bench.workspace.write('judges/simulated-accuracy/v2.yaml', two);
  bench.workspace.write('judges/simulated-accuracy/own.md', prompt);
  await signIn(page, bench, 'Ada');
  await open(page, bench, '#/judges?judge=simulated-accuracy@2');
  await page.getByRole('region', { name: 'The prompt' }).waitFor();
  const lines = await page.locator('[data-text^="prompt:now:"]').allTextContents();
  expect(lines.join('\n')).toBe(prompt);
  expect(misdeeds).toEqual(NO_MISDEEDS);
});

test('characters that nobody can see are shown and counted', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const { page } = await watchedPage(context, bench.url);
  const samples = samplesOf();
  furnish(bench, samples);
  await signIn(page, bench, 'Ada');
  const hidden = samples.find((sample) => sample.content.input.includes('pass\u200bword'));
  await open(page, bench, `#/label?dataset=hostile&rubric=refund-reply@1&sample=${hidden?.id}`);
  const input = page.getByRole('region', { name: 'Input' });
  await input.getByText('5 hidden characters').waitFor();
  expect(
    await input
      .locator('.hidden')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-mark'))),
  ).toEqual(['ZWSP', 'ZWNJ ZWJ WJ … ×4']);
});

test('a text of 200,000 characters, 10,000 combining marks included, stays quick to answer', async () => {
  await using bench = await testWorkbench();
  await using context = await openChromium();
  const { page } = await watchedPage(context, bench.url);
  const samples = samplesOf();
  furnish(bench, samples);
  await signIn(page, bench, 'Ada');
  for (const sample of samples.filter(({ content }) => content.input.length > 9000)) {
    await open(page, bench, `#/label?dataset=hostile&rubric=refund-reply@1&sample=${sample.id}`);
    await page.locator('section.judged').first().waitFor();
    const delays = await page.evaluate(async () => {
      const measured: number[] = [];
      for (const key of ['1', 'z', '2', 'z', '3']) {
        const started = performance.now();
        window.dispatchEvent(new KeyboardEvent('keydown', { key }));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        measured.push(performance.now() - started);
      }
      return measured;
    });
    expect(await page.locator('input[name=accuracy]:checked').count()).toBe(1);
    expect(median(delays)).toBeLessThan(200);
  }
});
