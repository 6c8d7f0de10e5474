import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Asker } from '../guard.ts';
import { refuseInvalid } from '../validate.ts';

export interface AppEnv {
  Variables: { asker: Asker };
}

/** A group of routes whose invalid input becomes a Problem. */
export function routes(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
}

/** The responses of a route that answers JSON. Any other status carries a ProblemReport, which clients throw on. */
export function answers<Schema extends z.ZodType>(schema: Schema) {
  return { 200: { description: 'The answer', content: { 'application/json': { schema } } } } as const;
}

/** A JSON request body. */
export function takes<Schema extends z.ZodType>(schema: Schema) {
  return { content: { 'application/json': { schema } }, required: true } as const;
}
