import type { z } from 'zod';
import { type FailureContext, failed, failureOf } from './failure.ts';
import type { Failed } from './provider.ts';
import { parseJson } from './reader.ts';

/** Asks for something that is no completion. */
export async function told<Shape extends z.ZodObject>(
  ask: () => Promise<Response>,
  shape: Shape,
  context: FailureContext,
): Promise<z.infer<Shape> | Failed> {
  try {
    const body = shape.safeParse(parseJson(await (await ask()).text()));
    return body.success
      ? body.data
      : failed('bad_shape', "the answer is not of this provider's shape", { maybeBilled: true });
  } catch (error) {
    return failureOf(error, context);
  }
}
