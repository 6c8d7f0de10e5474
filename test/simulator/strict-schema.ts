import { z } from 'zod';

const Node = z.looseObject({
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
});

/** Why a JSON Schema is none that strict mode takes, or null: closed objects, every property required. */
export function strictFault(schema: unknown): string | null {
  const node = Node.safeParse(schema);
  if (!node.success) return 'schema is no object';
  const { type, properties, required, additionalProperties, items, anyOf } = node.data;
  if (type === 'object') {
    if (additionalProperties !== false) return "'additionalProperties' is required to be false";
    const missing = Object.keys(properties ?? {}).find((name) => !(required ?? []).includes(name));
    if (missing !== undefined) return `'required' must include every key in properties. Missing '${missing}'`;
  }
  const inner = [
    ...Object.values(properties ?? {}),
    ...(items === undefined ? [] : [items]),
    ...(anyOf ?? []),
  ];
  return inner.map(strictFault).find((fault) => fault !== null) ?? null;
}
