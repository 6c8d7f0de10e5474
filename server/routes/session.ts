import { createRoute, z } from '@hono/zod-openapi';
import { Annotator } from '../../core/label.ts';
import type { Services } from '../services.ts';
import { answers, routes, takes } from './route.ts';

const SessionView = z.strictObject({ workspace: z.string(), annotator: z.string().nullable() });

/** Who this browser is: the name under which it labels. */
export function sessionRoutes({ workspace, store }: Services) {
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/session',
        summary: 'Who this browser is',
        responses: answers(SessionView),
      }),
      (c) => {
        const { session } = c.get('asker');
        return c.json({ workspace: workspace.config.name, annotator: session.annotator }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/session/annotator',
        summary: 'Sets the name under which this browser labels',
        request: { body: takes(z.strictObject({ annotator: Annotator })) },
        responses: answers(SessionView),
      }),
      (c) => {
        const { annotator } = c.req.valid('json');
        store.write(() => store.sessions.setAnnotator(c.get('asker').token, annotator));
        return c.json({ workspace: workspace.config.name, annotator }, 200);
      },
    );
}
