import { Problem } from '../../../core/problem.ts';

/** The places of an imported row that a mapping can fill. */
export const TARGETS = [
  'id',
  'input',
  'output',
  'outputs.a',
  'outputs.b',
  'trace',
  'context',
  'reference',
  'group',
  'metadata',
  'criterion',
  'labels',
  'verdicts',
] as const;
export type Target = (typeof TARGETS)[number];

type Read = (record: unknown) => unknown;

/** How to read each place from a record of the file. */
export interface Mapping {
  read: Partial<Record<Target, Read>>;
  /** Single annotators and judges named in the mapping: `label.gold=gold`, `verdict.gpt-4=score`. */
  labels: { name: string; read: Read }[];
  verdicts: { name: string; read: Read }[];
  /** Top-level keys that some mapping reads: the others become metadata where none is mapped. */
  used: Set<string>;
}

/** Where each place is looked for when no mapping says: the first name that a record has. */
const USUAL: Record<Exclude<Target, 'criterion'>, string[]> = {
  id: ['id', 'sample_id', 'task_id'],
  input: ['input', 'instruction', 'question', 'prompt', 'query'],
  output: ['output', 'response', 'answer', 'completion'],
  'outputs.a': ['outputs.a', 'output_a', 'response_a', 'answer_a', 'output_1'],
  'outputs.b': ['outputs.b', 'output_b', 'response_b', 'answer_b', 'output_2'],
  trace: ['trace'],
  context: ['context'],
  reference: ['reference', 'expected'],
  group: ['group'],
  metadata: ['metadata'],
  labels: ['labels'],
  verdicts: ['verdicts'],
};

/** The field that a usual name stands for, of those that a judge may be shown; null where it is none of them. */
export function usualField(name: string): 'input' | 'output' | 'context' | 'reference' | 'trace' | null {
  const fields = ['input', 'output', 'context', 'reference', 'trace'] as const;
  return fields.find((field) => USUAL[field].includes(name.toLowerCase())) ?? null;
}

/**
 * Reads `field=path` mappings: a dotted path (`human.annotator1`), a JSON pointer (`/a.b/0`), a template
 * (`{instruction}\n{input}`), or nothing (`id=`), which says that the file has none.
 * @throws Problem `bad_map` that lists the fields there are.
 */
export function parseMapping(specs: readonly string[]): Mapping {
  const mapping: Mapping = { read: {}, labels: [], verdicts: [], used: new Set() };
  const mapped = new Set<string>();
  for (const spec of specs) {
    const at = spec.indexOf('=');
    const field = at === -1 ? spec : spec.slice(0, at).trim();
    const path = at === -1 ? '' : spec.slice(at + 1);
    if (at === -1) throw badMap(spec, 'has no "="');
    const named = /^(label|verdict)\.(.+)$/.exec(field);
    if (named?.[1] !== undefined && named[2] !== undefined) {
      const list = named[1] === 'label' ? mapping.labels : mapping.verdicts;
      list.push({ name: named[2], read: reader(path, mapping.used) });
      continue;
    }
    const target = TARGETS.find((one) => one === field);
    if (target === undefined) throw badMap(spec, `maps no known field`);
    mapped.add(target);
    if (path !== '') mapping.read[target] = reader(path, mapping.used);
  }
  for (const [field, names] of Object.entries(USUAL)) {
    const target = TARGETS.find((one) => one === field);
    if (target === undefined || mapped.has(target)) continue;
    const readers = names.map((name) => reader(name, mapping.used));
    mapping.read[target] = (record) => {
      for (const read of readers) {
        const value = read(record);
        if (value !== undefined) return value;
      }
      return undefined;
    };
  }
  return mapping;
}

function badMap(spec: string, why: string): Problem {
  return new Problem('bad_map', `--map ${spec}: ${why}`, {
    remedy: `Write field=path. Fields: ${TARGETS.join(', ')}, label.<annotator>, verdict.<judge>.`,
  });
}

function reader(path: string, used: Set<string>): Read {
  if (/\{[^}]+\}/.test(path)) {
    const parts = path.split(/\{([^}]+)\}/);
    const readers = parts.map((part, index) => (index % 2 === 1 ? reader(part, used) : null));
    return (record) =>
      parts
        .map((part, index) => {
          const read = readers[index];
          if (read == null) return part.replaceAll('\\n', '\n');
          const value = read(record);
          return value === undefined || value === null ? '' : String(value);
        })
        .join('')
        .trim();
  }
  const keys = path.startsWith('/')
    ? path
        .slice(1)
        .split('/')
        .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    : path.split('.');
  const [top = ''] = keys;
  used.add(top);
  return (record) => {
    let value: unknown = record;
    for (const key of keys) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
      value = Reflect.get(value, key);
    }
    return value;
  };
}
