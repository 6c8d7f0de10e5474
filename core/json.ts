import { z } from 'zod';

/** A plain JSON value, as tool arguments and results carry it. */
export const Json = z.json();
export type Json = z.infer<typeof Json>;

/** A JSON object. */
export const JsonObject = z.record(z.string(), Json);
export type JsonObject = z.infer<typeof JsonObject>;
