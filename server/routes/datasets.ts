import { createRoute, z } from '@hono/zod-openapi';
import { Quote } from '../../core/evidence.ts';
import { JsonObject } from '../../core/json.ts';
import { StoredLabel } from '../../core/label.ts';
import { Problem } from '../../core/problem.ts';
import { Slug, VersionRef } from '../../core/rubric.ts';
import { Sample, SampleId, SampleKind } from '../../core/sample.ts';
import { JudgeName, PairOrder } from '../../core/verdict.ts';
import { nativeDigest } from '../../harness/digest.ts';
import { parseMapping } from '../../harness/formats/in/mapping.ts';
import { loadRubric } from '../../harness/workspace/rubrics.ts';
import { importFile } from '../import.ts';
import type { Services } from '../services.ts';
import { witnesses } from '../witness.ts';
import { answers, routes } from './route.ts';

const DatasetView = z.strictObject({
  name: Slug,
  samples: z.number().int(),
  labelled: z.number().int(),
  rubric: VersionRef.nullable(),
  annotators: z.array(z.string()),
});

const SamplePage = z.strictObject({
  samples: z.array(z.strictObject({ seq: z.number().int(), sample: Sample })),
  /** Pass as `after` for the next page; null at the end. */
  next: z.number().int().nullable(),
});

const RatingsView = z.strictObject({
  /** It can name the model, or what a sample was made to show: withheld until the look is recorded. */
  metadata: JsonObject,
  labels: z.array(StoredLabel),
  verdicts: z.array(
    z.strictObject({
      /** The verdict's number: `/verdicts/{id}` tells how it came about. */
      id: z.number().int(),
      judge: JudgeName,
      simulated: z.boolean(),
      criterion: Slug,
      order: PairOrder.nullable(),
      repeat: z.number().int(),
      outcome: z.string(),
      value: z.string().nullable(),
      reason: z.string(),
      quotes: z.array(Quote),
      served_model: z.string().nullable(),
    }),
  ),
});

const ImportView = z.strictObject({
  dataset: z.string(),
  rows: z.number().int(),
  added: z.number().int(),
  known: z.number().int(),
  duplicates: z.strictObject({ contents: z.number().int(), samples: z.number().int() }),
  labels: z.number().int(),
  verdicts: z.number().int(),
  unreadable_verdicts: z.number().int(),
  rejected: z.number().int(),
  rejections: z.array(z.strictObject({ line: z.number().int(), reason: z.string() })),
});

const named = z.strictObject({ dataset: Slug });

/** Datasets and their samples, with what people and judges said of them. */
export function datasetRoutes({ workspace, store, now }: Services) {
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/datasets',
        summary: 'Every dataset',
        responses: answers(z.strictObject({ datasets: z.array(DatasetView) })),
      }),
      (c) => {
        const datasets = store.samples.datasets().map(({ id, name, samples, rubric }) => ({
          name,
          samples,
          labelled: store.samples.labelled(id),
          rubric,
          annotators: store.labels.annotators(id),
        }));
        return c.json({ datasets }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/datasets/{dataset}/samples',
        summary: 'A page of samples in import order; q looks in texts and ids',
        request: {
          params: named,
          query: z.strictObject({
            after: z.coerce.number().int().nonnegative().default(0),
            limit: z.coerce.number().int().min(1).max(200).default(50),
            q: z.string().max(200).default(''),
          }),
        },
        responses: answers(SamplePage),
      }),
      (c) => {
        const { after, limit, q } = c.req.valid('query');
        const samples = store.samples.page(store.samples.dataset(c.req.valid('param').dataset).id, {
          after,
          limit,
          query: q,
        });
        return c.json(
          {
            samples: samples.map(({ seq, sample }) => ({ seq, sample: withheld(sample) })),
            next: samples.length < limit ? null : (samples.at(-1)?.seq ?? null),
          },
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/datasets/{dataset}/samples/{sample}',
        summary: 'One sample; its metadata comes with the ratings',
        request: { params: named.extend({ sample: SampleId }) },
        responses: answers(z.strictObject({ sample: Sample })),
      }),
      (c) => {
        const { dataset, sample } = c.req.valid('param');
        return c.json({ sample: withheld(findSample(store, dataset, sample).sample) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/datasets/{dataset}/samples/{sample}/ratings',
        summary:
          'What people and judges said of one sample. Whoever asks is no longer blind to it: the store remembers.',
        request: {
          params: named.extend({ sample: SampleId }),
          query: z.strictObject({ rubric: VersionRef }),
        },
        responses: answers(RatingsView),
      }),
      (c) => {
        const { dataset, sample } = c.req.valid('param');
        const { rubric } = c.req.valid('query');
        const found = findSample(store, dataset, sample);
        store.write(() => store.labels.reveal(found.seq, witnesses(c.get('asker')), now().toISOString()));
        const labels = store.labels.ofSample(found.seq, rubric);
        const { metadata } = found.sample.origin;
        return c.json({ metadata, labels, verdicts: store.verdicts.ofSample(found.seq) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/datasets/{dataset}/import',
        summary: 'Imports a file sent as application/octet-stream, streamed',
        request: {
          params: named,
          query: z.strictObject({
            format: z.enum(['jsonl', 'json', 'csv']),
            kind: SampleKind,
            rubric: VersionRef.optional(),
            criterion: Slug.optional(),
            map: z.union([z.string(), z.array(z.string())]).optional(),
          }),
        },
        responses: answers(ImportView),
      }),
      async (c) => {
        const { format, kind, rubric, criterion, map } = c.req.valid('query');
        const { body } = c.req.raw;
        if (body === null)
          throw new Problem('no_body', 'the request holds no file', { remedy: 'Send the file as the body.' });
        const loaded = rubric === undefined ? null : loadRubric(workspace, rubric).rubric;
        const only =
          loaded?.criteria.length === 1
            ? loaded.criteria[0]
            : loaded?.criteria.find((one) => one.id === criterion);
        const report = await importFile(store, chunksOf(body), {
          dataset: c.req.valid('param').dataset,
          format,
          kind,
          mapping: parseMapping(map === undefined ? [] : [map].flat()),
          criterion: only ?? null,
          rubric: loaded,
          digest: nativeDigest,
          now: now().toISOString(),
        });
        return c.json(report, 200);
      },
    );
}

/** A sample without its metadata, which can give the answer away. */
function withheld(sample: Sample): Sample {
  return { ...sample, origin: { ...sample.origin, metadata: {} } };
}

/** @throws Problem `no_sample`. */
export function findSample(store: Services['store'], dataset: string, id: string) {
  const found = store.samples.find(id, store.samples.dataset(dataset).id);
  if (found !== null) return found;
  throw new Problem('no_sample', `${dataset} has no sample ${id}`, {
    remedy: 'Look it up on the Samples page.',
    status: 404,
  });
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
