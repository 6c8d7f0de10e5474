import { createRoute, z } from '@hono/zod-openapi';
import { Problem } from '../../core/problem.ts';
import { SampleId } from '../../core/sample.ts';
import type { Services } from '../services.ts';
import { tellVerdict, VerdictStory } from '../verdict-story.ts';
import { witnesses } from '../witness.ts';
import { answers, routes } from './route.ts';

const numbered = z.strictObject({ verdict: z.coerce.number().int().positive() });

const VerdictPlace = z.strictObject({
  dataset: z.string(),
  sample: SampleId,
  /** Whoever asks has been shown what others said of this sample already. */
  seen: z.boolean(),
});

/** One verdict: where it stands, and its whole story. */
export function verdictRoutes(services: Services) {
  const { store, now } = services;
  const find = (id: number) => {
    const found = store.verdicts.get(id);
    if (found !== null) return found;
    throw new Problem('no_verdict', `there is no verdict ${id}`, {
      remedy: 'Find it on the Samples page, with its sample.',
      status: 404,
    });
  };
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/verdicts/{verdict}/place',
        summary:
          'Which sample a verdict is about, and whether you have seen what was said of it; tells nothing of what was said',
        request: { params: numbered },
        responses: answers(VerdictPlace),
      }),
      (c) => {
        const { dataset, sample, seq } = find(c.req.valid('param').verdict);
        return c.json({ dataset, sample, seen: store.labels.revealed(seq, witnesses(c.get('asker'))) }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/verdicts/{verdict}',
        summary:
          'How one verdict came about: request, every sending, reply, outcome. Whoever asks is no longer blind to its sample: the store remembers.',
        request: { params: numbered },
        responses: answers(VerdictStory),
      }),
      (c) => {
        const found = find(c.req.valid('param').verdict);
        store.write(() => store.labels.reveal(found.seq, witnesses(c.get('asker')), now().toISOString()));
        return c.json(tellVerdict(services, found), 200);
      },
    );
}
