import type { z } from 'zod';
import { Problem, placeText } from '../../../../core/problem.ts';
import type { Loss } from '../../foreign-judge.ts';
import { type PythonCall, PythonComputed, PythonName, type PythonValue } from './python-value.ts';
import type { PythonSource } from './source.ts';

/**
 * Checks a call's arguments against a schema. What only running Python would tell is left out as a loss.
 * @param order the names of positional arguments. @param needed arguments without which there is nothing to import.
 * @throws Problem `bad_file` with the argument's place.
 */
export function readArguments<Schema extends z.ZodType>(
  source: PythonSource,
  index: number,
  call: PythonCall,
  schema: Schema,
  { order, needed }: { order: readonly string[]; needed: readonly string[] },
): { value: z.output<Schema>; losses: Loss[] } {
  const losses: Loss[] = [];
  const positional = call.positional.map(
    (value, place) => [order[place] ?? `argument ${place + 1}`, value] as const,
  );
  const known = [...positional, ...Object.entries(call.named)].flatMap(([name, value]) => {
    const hidden = hiddenPart(value);
    if (hidden === null) return [[name, value] as const];
    if (needed.includes(name))
      throw fault(
        source,
        index,
        name,
        `expected a text in quotes, or a name that this file gives one: ${hidden} is known only when Python runs`,
      );
    losses.push({
      at: [index, name],
      why: `${hidden} is known only when Python runs, and nothing foreign is run`,
    });
    return [];
  });
  const checked = schema.safeParse(Object.fromEntries(known));
  if (checked.success) return { value: checked.data, losses };
  const [issue] = checked.error.issues;
  const [name = '', ...rest] = issue?.path ?? [];
  throw fault(source, index, [name, ...rest].join('.'), issue?.message ?? 'not valid');
}

function hiddenPart(value: PythonValue): string | null {
  if (value instanceof PythonComputed) return value.text.replace(/\s+/g, ' ').slice(0, 80);
  if (value instanceof PythonName) return value.name;
  if (Array.isArray(value)) return value.map(hiddenPart).find((part) => part !== null) ?? null;
  if (typeof value === 'object' && value !== null)
    return 'name' in value ? `${String(value.name)}(…)` : '{…}';
  return null;
}

function fault(source: PythonSource, index: number, name: string, message: string): Problem {
  const place = source.place([index, name]);
  return new Problem('bad_file', `${placeText(place)}: ${message}`, {
    remedy: 'Write the value out where it is used; the file is read as text and never run.',
    at: [place],
  });
}
