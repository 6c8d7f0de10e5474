import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { Span } from '../../core/evidence.ts';
import { Annotator, LabelAck, LabelAct, LabelEvent } from '../../core/label.ts';
import { Problem } from '../../core/problem.ts';
import { levelValues, Rubric, Slug, VersionRef } from '../../core/rubric.ts';
import { SampleContent, SampleId } from '../../core/sample.ts';
import { PairOrder } from '../../core/verdict.ts';
import { loadRubric } from '../../harness/workspace/rubrics.ts';
import { labelQueue, sideOf } from '../label-queue.ts';
import type { Services } from '../services.ts';
import { witnesses } from '../witness.ts';
import { findSample } from './datasets.ts';
import { type AppEnv, answers, routes, takes } from './route.ts';

const Queue = z.strictObject({
  dataset: Slug,
  rubric: Rubric,
  rubric_ref: VersionRef,
  /** Send it back with each label: a rubric that changed meanwhile is then told, not mixed in. */
  rubric_hash: z.string(),
  annotator: Annotator,
  /** In this person's own order. */
  items: z.array(
    z.strictObject({ sample: SampleId, state: z.enum(['todo', 'partial', 'done', 'skipped', 'flagged']) }),
  ),
});

/** A sample as a labeller may see it: no origin, no verdicts, nobody else's labels. */
const BlindItem = z.strictObject({
  sample: SampleId,
  content: SampleContent,
  /** Which output stands left, for pairs. */
  side: PairOrder.nullable(),
  /** This person's own standing answers by criterion. */
  mine: z.record(
    Slug,
    z.strictObject({
      what: LabelAct,
      evidence: z.array(Span),
      note: z.string(),
      revision: z.number().int(),
      ms: z.number().int(),
    }),
  ),
});

const where = z.strictObject({ dataset: Slug, rubric: VersionRef });

/** Labelling: a person's queue, one item at a time, blind; labels arrive as events and are appended. */
export function labelRoutes({ workspace, store }: Services) {
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/label/queue',
        summary: 'This person’s queue with its states',
        request: { query: where },
        responses: answers(Queue),
      }),
      (c) => {
        const { dataset, rubric } = c.req.valid('query');
        const annotator = annotatorOf(c);
        const loaded = loadRubric(workspace, rubric);
        const items = labelQueue(store, store.samples.dataset(dataset).id, loaded.rubric, rubric, annotator);
        return c.json(
          { dataset, rubric: loaded.rubric, rubric_ref: rubric, rubric_hash: loaded.hash, annotator, items },
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/label/items/{sample}',
        summary: 'One sample, blind, with this person’s own answers',
        request: { params: z.strictObject({ sample: SampleId }), query: where },
        responses: answers(BlindItem),
      }),
      (c) => {
        const { dataset, rubric } = c.req.valid('query');
        const annotator = annotatorOf(c);
        const { seq, sample } = findSample(store, dataset, c.req.valid('param').sample);
        const mine: z.infer<typeof BlindItem>['mine'] = {};
        for (const { criterion, what, evidence, note, revision, ms } of store.labels.ofSample(
          seq,
          rubric,
          annotator,
        )) {
          mine[criterion] = { what, evidence, note, revision, ms };
        }
        const side = sample.content.kind === 'pair' ? sideOf(annotator, sample.id) : null;
        return c.json({ sample: sample.id, content: blind(sample.content), side, mine }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/label/events',
        summary: 'Appends labelling events; sending one again changes nothing',
        request: {
          query: where.extend({ rubric_hash: z.string() }),
          body: takes(z.strictObject({ events: z.array(LabelEvent).min(1).max(200) })),
        },
        responses: answers(z.strictObject({ acks: z.array(LabelAck) })),
      }),
      async (c) => {
        const { dataset, rubric: ref, rubric_hash } = c.req.valid('query');
        const annotator = annotatorOf(c);
        const { rubric, hash } = loadRubric(workspace, ref);
        if (hash !== rubric_hash) {
          throw new Problem('rubric_changed', `${ref} was changed while you labelled`, {
            remedy: 'Reload the page: it shows the new text; nothing was stored under it.',
            details: [`yours: ${rubric_hash}`, `now:   ${hash}`],
            status: 409,
          });
        }
        const { events } = c.req.valid('json');
        const names = witnesses(c.get('asker'));
        const acks = await store.writeSoon(() =>
          events.map((event) => {
            assertAnswers(event, rubric);
            const { seq } = findSample(store, dataset, event.sample);
            const saw = store.labels.revealed(seq, names) ? 'verdicts' : 'blind';
            return store.labels.append(seq, event, { rubric: ref, rubricHash: hash, annotator, saw });
          }),
        );
        return c.json({ acks }, 200);
      },
    );
}

/** Model steps keep their place, their time and their tokens, and lose the model's name: it would tell whose work this is. */
function blind(content: SampleContent): SampleContent {
  if (content.kind !== 'trace') return content;
  const steps = content.trace.steps.map((step) => (step.type === 'model' ? { ...step, model: '' } : step));
  return { ...content, trace: { steps } };
}

function annotatorOf(c: Context<AppEnv>): string {
  const { annotator } = c.get('asker').session;
  if (annotator !== null) return annotator;
  throw new Problem('no_annotator', 'this browser has not said who labels', {
    remedy: 'Give your name on the Label page first.',
    status: 409,
  });
}

function assertAnswers({ criterion: id, what, evidence }: LabelEvent, rubric: Rubric): void {
  const criterion = rubric.criteria.find((one) => one.id === id);
  const refuse = (message: string) =>
    new Problem('bad_label', message, { remedy: 'Reload the page and label again.' });
  if (criterion === undefined) throw refuse(`the rubric has no criterion "${id}"`);
  if (what.act === 'label' && !levelValues(criterion).includes(what.value)) {
    throw refuse(`"${what.value}" is not a level of ${id} (${levelValues(criterion).join(', ')})`);
  }
  if (what.act === 'not_applicable' && criterion.not_applicable === undefined)
    throw refuse(`${id} always applies`);
  if (evidence.some((span) => span.end <= span.start)) throw refuse('a marked passage is empty');
}
