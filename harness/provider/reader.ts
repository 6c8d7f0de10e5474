import type { z } from 'zod';
import { Usage } from '../../core/trace.ts';
import type { Answered, Failed, OutputShape } from './provider.ts';

/** The parts of an answer that do not depend on the provider. */
export type Heard = Pick<Answered, 'requestId' | 'simulator' | 'raw'>;

/** Reads the body of a provider's reply; null = it is none of that provider's. */
export type Reader = (text: string, mode: OutputShape['mode'], heard: Heard) => Answered | Failed | null;

/**
 * Makes a reader that holds a body against its shape before anyone uses it.
 * @param read makes an answer of a body that has the shape.
 */
export function createReader<Shape extends z.ZodType>(
  shape: Shape,
  read: (body: z.infer<Shape>, mode: OutputShape['mode'], heard: Heard) => Answered | Failed,
): Reader {
  return (text, mode, heard) => {
    const body = shape.safeParse(parseJson(text));
    return body.success ? read(body.data, mode, heard) : null;
  };
}

/** JSON as a value; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A usage that makes sense, or null: counts that are missing, negative or larger than their total say nothing. */
export function soundUsage(counts: z.input<typeof Usage>): Usage | null {
  const usage = Usage.safeParse(counts);
  if (!usage.success) return null;
  const { input, output, cacheRead, cacheWrite, cacheWriteHour, reasoning } = usage.data;
  const sound = cacheRead + cacheWrite <= input && cacheWriteHour <= cacheWrite && reasoning <= output;
  return sound ? usage.data : null;
}
