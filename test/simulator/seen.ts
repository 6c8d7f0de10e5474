import { z } from 'zod';
import type { SimulatedRequest } from './call.ts';

/** One question as a model finds it in its prompt. */
export interface SeenQuestion {
  criterion: string;
  /** Values that grade; the ways out are not among them. */
  levels: string[];
}

/** A sample as a model finds it: parts by their name in the prompt, such as `OUTPUT` or `RESPONSE 1`. */
export interface Seen {
  questions: SeenQuestion[];
  parts: Map<string, string>;
  /** The model was told that its quotes do not hold. */
  asks: number;
}

const PART = /\[BEGIN ([A-Z0-9 ]+) ([0-9a-f]{16})\]\n([\s\S]*?)\n\[END \1 \2\]/g;
const RESTATED = /^([a-z0-9][a-z0-9._-]*): .* One of: (.+)\.$/gm;
const WAYS_OUT = ['cannot_tell', 'not_applicable'];

/** Reads a judge prompt the way a model does: from its text alone, but for the values that the schema allows. */
export function readPrompt({ messages, schema }: SimulatedRequest): Seen {
  const first = messages[0]?.text ?? '';
  const parts = new Map([...first.matchAll(PART)].map(([, name = '', , text = '']) => [name, text]));
  const asks = messages.filter(({ role }) => role === 'user').length;
  const closing = first.slice(first.lastIndexOf('\n[END '));
  const questions = [...closing.matchAll(RESTATED)].map(([, criterion = '', values = '']) => {
    const offered = offeredBy(schema, criterion) ?? values.split(', ');
    return { criterion, levels: offered.filter((value) => !WAYS_OUT.includes(value)) };
  });
  return { questions, parts, asks };
}

const Value = z.object({ properties: z.object({ value: z.object({ enum: z.array(z.string()) }) }) });
const Together = z.object({ properties: z.record(z.string(), z.unknown()) });

function offeredBy(schema: unknown, criterion: string): string[] | null {
  const alone = Value.safeParse(schema);
  if (alone.success) return alone.data.properties.value.enum;
  const together = Together.safeParse(schema);
  const own = Value.safeParse(together.success ? together.data.properties[criterion] : null);
  return own.success ? own.data.properties.value.enum : null;
}
