import { createRoute, z } from '@hono/zod-openapi';
import { Problem, ProblemReport } from '../../core/problem.ts';
import { Rubric, VersionRef } from '../../core/rubric.ts';
import { LintFinding, lintRubric } from '../../core/rubric-lint.ts';
import { type LoadedRubric, loadRubric } from '../../harness/workspace/rubrics.ts';
import { listVersions } from '../../harness/workspace/versions.ts';
import type { Services } from '../services.ts';
import { answers, routes } from './route.ts';

export const RubricView = z.strictObject({
  ref: VersionRef,
  file: z.string(),
  hash: z.string(),
  published: z.boolean(),
  rubric: Rubric,
  lint: z.array(LintFinding),
});

/** Rubric versions as the workspace's files hold them. */
export function rubricRoutes({ workspace }: Services) {
  return routes()
    .openapi(
      createRoute({
        method: 'get',
        path: '/rubrics',
        summary: 'Every rubric version; files that can’t be read are told as problems',
        responses: answers(
          z.strictObject({ rubrics: z.array(RubricView), problems: z.array(ProblemReport) }),
        ),
      }),
      (c) => {
        const { views, problems } = readable(listVersions(workspace, 'rubrics'), (file) =>
          view(loadRubric(workspace, file.ref)),
        );
        return c.json({ rubrics: views, problems }, 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/rubrics/{ref}',
        summary: 'One rubric version',
        request: { params: z.strictObject({ ref: VersionRef }) },
        responses: answers(RubricView),
      }),
      (c) => c.json(view(loadRubric(workspace, c.req.valid('param').ref)), 200),
    );
}

function view({ ref, file, hash, published, rubric }: LoadedRubric) {
  return { ref, file, hash, published, rubric, lint: lintRubric(rubric) };
}

/** Reads what can be read; one bad file hides no other. */
export function readable<File, View>(
  files: readonly File[],
  read: (file: File) => View,
): { views: View[]; problems: ProblemReport[] } {
  const views: View[] = [];
  const problems: ProblemReport[] = [];
  for (const file of files) {
    try {
      views.push(read(file));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(error.report());
    }
  }
  return { views, problems };
}
