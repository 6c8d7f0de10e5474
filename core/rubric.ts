import { z } from 'zod';
import { contentHash } from './hash.ts';
import { SampleId } from './sample.ts';
import { Level, PAIRWISE_LEVELS, PassRule, ScaleKind } from './scale.ts';

/** A name that is safe in a path and a URL. */
export const Slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,79}$/, 'lower-case letters, digits, dot, dash, underscore');
export type Slug = z.infer<typeof Slug>;

/** `id@version`: one published version of a rubric, judge or label set. */
export const VersionRef = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,79}@[1-9][0-9]{0,5}$/, 'id@version, such as tone@2');
export type VersionRef = z.infer<typeof VersionRef>;

export function versionRef(id: string, version: number): VersionRef {
  return `${id}@${version}`;
}

export function parseVersionRef(ref: VersionRef): { id: string; version: number } {
  const at = ref.lastIndexOf('@');
  return { id: ref.slice(0, at), version: Number(ref.slice(at + 1)) };
}

/** Where quotes for a criterion may come from; `output` covers both outputs of a pair. */
export const EvidenceSource = z.enum(['input', 'output', 'context', 'reference', 'trace']);
export type EvidenceSource = z.infer<typeof EvidenceSource>;

export const Criterion = z
  .strictObject({
    id: Slug,
    question: z.string().min(1).max(2000),
    scale: ScaleKind,
    levels: z.array(Level).min(2).max(20),
    pass: PassRule.optional(),
    evidence: z
      .strictObject({
        required: z.boolean().default(true),
        from: z.array(EvidenceSource).min(1).default(['output']),
      })
      .default({ required: true, from: ['output'] }),
    not_applicable: z.string().max(2000).optional(),
    examples: z.array(SampleId).max(20).default([]),
    weight: z.number().default(1),
    harm: z.boolean().default(false),
  })
  .superRefine((criterion, ctx) => {
    const values = criterion.levels.map((level) => level.value);
    values.forEach((value, index) => {
      if (values.indexOf(value) !== index) {
        ctx.addIssue({
          code: 'custom',
          path: ['levels', index, 'value'],
          message: `level "${value}" stands twice; give each level its own value`,
        });
      }
    });
    if (criterion.scale === 'ordinal') {
      values.forEach((value, index) => {
        if (!/^-?\d+$/.test(value) || (index > 0 && Number(value) !== Number(values[index - 1]) + 1)) {
          ctx.addIssue({
            code: 'custom',
            path: ['levels', index, 'value'],
            message: 'ordinal levels are consecutive integers in rising order, such as 1, 2, 3',
          });
        }
      });
    }
    if (criterion.scale === 'binary' && values.length !== 2) {
      ctx.addIssue({
        code: 'custom',
        path: ['levels'],
        message: `a binary scale has exactly two levels, this one has ${values.length}`,
      });
    }
    if (criterion.scale === 'pairwise' && [...values].sort().join() !== PAIRWISE_LEVELS.join()) {
      ctx.addIssue({
        code: 'custom',
        path: ['levels'],
        message: 'a pairwise scale has the levels a, b and tie',
      });
    }
    for (const value of passValues(criterion.pass)) {
      if (!values.includes(value)) {
        ctx.addIssue({
          code: 'custom',
          path: ['pass'],
          message: `"${value}" is not a level; the levels are ${values.join(', ')}`,
        });
      }
    }
  });
export type Criterion = z.infer<typeof Criterion>;

function passValues(rule: PassRule | undefined): string[] {
  if (rule === undefined) return [];
  if ('at_least' in rule) return [String(rule.at_least)];
  if ('at_most' in rule) return [String(rule.at_most)];
  return 'equals' in rule ? [rule.equals] : rule.in;
}

/** One version of a rubric: what people and judges are asked, and the anchors of each level. */
export const Rubric = z
  .strictObject({
    rubric: Slug,
    version: z.number().int().positive(),
    title: z.string().min(1).max(300),
    task: z.string().min(1).max(8000),
    guidelines: z.string().max(20_000).default(''),
    criteria: z.array(Criterion).min(1).max(50),
    aggregate: z.strictObject({ rule: z.enum(['all_pass', 'weighted_mean', 'worst']) }).optional(),
  })
  .superRefine((rubric, ctx) => {
    const ids = rubric.criteria.map((criterion) => criterion.id);
    ids.forEach((id, index) => {
      if (ids.indexOf(id) !== index) {
        ctx.addIssue({
          code: 'custom',
          path: ['criteria', index, 'id'],
          message: `criterion "${id}" stands twice; give each its own id`,
        });
      }
    });
  });
export type Rubric = z.infer<typeof Rubric>;

export function rubricRef(rubric: Rubric): VersionRef {
  return versionRef(rubric.rubric, rubric.version);
}

export function rubricHash(rubric: Rubric): string {
  return contentHash(rubric);
}

/** The values of a criterion's levels in the rubric's order: the declared categories of every statistic. */
export function levelValues(criterion: Pick<Criterion, 'levels'>): string[] {
  return criterion.levels.map((level) => level.value);
}
