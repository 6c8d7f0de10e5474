import { z } from 'zod';

/** A plain JSON value, as tool arguments and results carry it. */
export type Json = z.core.util.JSONType;
export const Json = z.any().pipe(z.custom<Json>(isJson, 'must be plain JSON'));

/** A JSON object. */
export const JsonObject = z.record(z.string(), Json);
export type JsonObject = z.infer<typeof JsonObject>;

/** Deepest nesting that is followed; JSON that we read is refused long before (strict-json). */
const MAX_DEPTH = 1000;

function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  const inner = Array.isArray(value) ? value : isPlain(value) ? Object.values(value) : null;
  return inner?.every((item) => isJson(item, depth + 1)) ?? false;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
