import type { z } from 'zod';
import { Problem } from '../core/problem.ts';

type Checked = { success: true } | { success: false; error: z.core.$ZodError; target: string };

/** Input that does not fit a route's schema is a Problem like any other, with the path of each fault. */
export function refuseInvalid(result: Checked): void {
  if (result.success) return;
  const details = result.error.issues.map(
    (issue) => `${result.target}.${issue.path.join('.')}: ${issue.message}`,
  );
  throw new Problem('invalid_input', details[0] ?? 'the input is not valid', {
    remedy: 'Correct the named fields; /api/openapi.json describes each route.',
    details: details.slice(1),
  });
}
