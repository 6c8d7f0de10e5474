import type { z } from 'zod';
import type { Digest } from '../../../core/hash.ts';
import { JsonObject } from '../../../core/json.ts';
import { type Criterion, levelValues, type Rubric } from '../../../core/rubric.ts';
import { identify, type Sample, SampleContent, type SampleKind } from '../../../core/sample.ts';
import type { Outcome, PairOrder } from '../../../core/verdict.ts';
import type { Mapping } from './mapping.ts';

export interface ImportedLabel {
  annotator: string;
  criterion: string;
  value: string;
}

export interface ImportedVerdict {
  judge: string;
  criterion: string;
  order: PairOrder | null;
  result: Outcome;
}

/** One good record: a sample with the labels and verdicts that came along. */
export interface ImportRow {
  line: number;
  sample: Sample;
  labels: ImportedLabel[];
  verdicts: ImportedVerdict[];
}

export interface ImportShape {
  kind: SampleKind;
  mapping: Mapping;
  /** The criterion of labels and verdicts, where the mapping reads none from the record. */
  criterion: Criterion | null;
  rubric: Rubric | null;
  digest: Digest;
}

/** Turns one record of a file into a row, or says why it can't be one. */
export function toImportRow(
  record: unknown,
  line: number,
  shape: ImportShape,
): ImportRow | { line: number; fault: string } {
  const fault = (why: string) => ({ line, fault: why });
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return fault('not an object');
  const checked = SampleContent.safeParse(readContent(record, shape));
  if (!checked.success) return fault(describe(checked.error, shape));
  const { read, used } = shape.mapping;
  const external = read.id?.(record);
  if (
    external !== undefined &&
    external !== null &&
    typeof external !== 'string' &&
    !Number.isSafeInteger(external)
  ) {
    return fault('id: must be text (a number this large or broken would change when read)');
  }
  const metadata = JsonObject.safeParse(read.metadata?.(record) ?? leftOver(record, used));
  if (!metadata.success) return fault('metadata: must be an object');
  const group = read.group?.(record);
  if (group !== undefined && group !== null && typeof group !== 'string' && typeof group !== 'number')
    return fault('group: must be text');
  const sample = identify(
    checked.data,
    {
      ...(external !== undefined && external !== null && { external: String(external) }),
      metadata: metadata.data,
      ...(group !== undefined && group !== null && { group: String(group) }),
    },
    shape.digest,
  );
  const ratings = readRatings(record, shape);
  return 'fault' in ratings ? fault(ratings.fault) : { line, sample, ...ratings };
}

function readContent(record: object, { kind, mapping: { read } }: ImportShape): Record<string, unknown> {
  const text = (value: unknown): unknown =>
    value === undefined || value === null || typeof value === 'string'
      ? (value ?? undefined)
      : typeof value === 'object'
        ? JSON.stringify(value, null, 2)
        : String(value);
  const content: Record<string, unknown> = { kind, input: text(read.input?.(record)) };
  const context = text(read.context?.(record));
  const reference = text(read.reference?.(record));
  if (context !== undefined) content.context = context;
  if (reference !== undefined) content.reference = reference;
  if (kind === 'pair')
    content.outputs = { a: text(read['outputs.a']?.(record)), b: text(read['outputs.b']?.(record)) };
  const output = text(read.output?.(record));
  if (kind === 'single' || (kind === 'trace' && output !== undefined)) content.output = output;
  if (kind === 'trace') content.trace = read.trace?.(record);
  return content;
}

function describe(error: z.ZodError, { kind }: ImportShape): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'not a sample';
  const path = issue.path.join('.') || 'record';
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return missing
    ? `${path}: missing (a ${kind} sample needs it; --map ${path}=<path in the record>)`
    : `${path}: ${issue.message}`;
}

function leftOver(record: object, used: Set<string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([key, value]) => !used.has(key) && value !== undefined),
  );
}

type Ratings = { labels: ImportedLabel[]; verdicts: ImportedVerdict[] };

function readRatings(record: object, shape: ImportShape): Ratings | { fault: string } {
  const { mapping } = shape;
  const labelled = [
    ...named(mapping.read.labels?.(record)),
    ...mapping.labels.map(({ name, read }) => [name, read(record)] as const),
  ];
  const judged = [
    ...named(mapping.read.verdicts?.(record)),
    ...mapping.verdicts.map(({ name, read }) => [name, read(record)] as const),
  ];
  if (labelled.length === 0 && judged.length === 0) return { labels: [], verdicts: [] };
  const criterion = criterionOf(record, shape);
  if ('fault' in criterion) return criterion;
  const labels: ImportedLabel[] = [];
  for (const [annotator, raw] of labelled) {
    if (raw === null || raw === undefined || raw === '') continue;
    const value = levelOf(raw, criterion);
    if (value === null)
      return {
        fault: `labels.${annotator}: ${JSON.stringify(raw)} is not a level of ${criterion.id} (${levelValues(criterion).join(', ')})`,
      };
    labels.push({ annotator, criterion: criterion.id, value });
  }
  const verdicts = judged.flatMap(([judge, raw]) => readVerdicts(judge, raw, criterion));
  return { labels, verdicts };
}

function named(value: unknown): (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function criterionOf(
  record: object,
  { mapping, rubric, criterion }: ImportShape,
): Criterion | { fault: string } {
  const id = mapping.read.criterion?.(record);
  if (id === undefined)
    return criterion ?? { fault: 'labels and verdicts need a criterion: name one with --criterion' };
  const found = rubric?.criteria.find((one) => one.id === String(id));
  return found ?? { fault: `criterion: the rubric has no "${String(id)}"` };
}

/** The level that a file's value means: the same text whatever its case, 5.0 for 5. */
function levelOf(raw: unknown, criterion: Criterion): string | null {
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') return null;
  const wanted = String(raw).trim().toLowerCase();
  return levelValues(criterion).find((value) => value.toLowerCase() === wanted) ?? null;
}

/** A judge's entry: a value, `{verdict, reason?, raw?}`, or `{ab, ba}` for both orders of a pair. */
function readVerdicts(judge: string, raw: unknown, criterion: Criterion): ImportedVerdict[] {
  const entry = (value: unknown, order: PairOrder | null, reason = ''): ImportedVerdict => {
    const level = value === null || value === undefined ? null : levelOf(value, criterion);
    const result: Outcome =
      level === null
        ? {
            outcome: 'invalid',
            reason:
              value == null
                ? 'the file holds no readable verdict'
                : `${JSON.stringify(value)} is not a level`,
            quotes: [],
          }
        : { outcome: 'scored', value: level, reason, quotes: [] };
    return { judge: `foreign:${judge}`, criterion: criterion.id, order, result };
  };
  if (typeof raw !== 'object' || raw === null) return [entry(raw, null)];
  const field = (name: string): unknown => (Object.hasOwn(raw, name) ? Reflect.get(raw, name) : undefined);
  if (Object.hasOwn(raw, 'ab') || Object.hasOwn(raw, 'ba'))
    return [entry(field('ab'), 'ab'), entry(field('ba'), 'ba')];
  const reason = field('reason');
  return [
    entry(
      field('verdict') ?? field('value') ?? field('score'),
      null,
      typeof reason === 'string' ? reason.slice(0, 20_000) : '',
    ),
  ];
}
