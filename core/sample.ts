import { z } from 'zod';
import { canonicalJson, type Digest, sha256 } from './hash.ts';
import { JsonObject } from './json.ts';
import { stepText, Trace } from './trace.ts';

/** The largest text field that is taken, in UTF-16 units. */
export const MAX_TEXT = 1_000_000;

const Text = z.string().max(MAX_TEXT, `at most ${MAX_TEXT} characters`);

export const SampleKind = z.enum(['single', 'pair', 'trace']);
export type SampleKind = z.infer<typeof SampleKind>;

const common = { input: Text, context: Text.optional(), reference: Text.optional() };

export const SingleContent = z.strictObject({ kind: z.literal('single'), ...common, output: Text });
export const PairContent = z.strictObject({
  kind: z.literal('pair'),
  ...common,
  outputs: z.strictObject({ a: Text, b: Text }),
});
export const TraceContent = z.strictObject({
  kind: z.literal('trace'),
  ...common,
  output: Text.optional(),
  trace: Trace,
});

/** What is graded, apart from where it came from. */
export const SampleContent = z.discriminatedUnion('kind', [SingleContent, PairContent, TraceContent]);
export type SampleContent = z.infer<typeof SampleContent>;

export const SampleId = z.string().regex(/^s_[0-9a-f]{20}$/, 'a sample id: s_ and 20 hex digits');
export type SampleId = z.infer<typeof SampleId>;

/** Where a sample came from; never part of what is graded, never shown to a blind labeller. */
export const SampleOrigin = z.strictObject({
  /** The id that the source file gave, where it gave one. */
  external: z.string().max(500).optional(),
  metadata: JsonObject.default({}),
  /** Samples of one group stay in one split and share a cluster. */
  group: z.string().max(500).optional(),
});
export type SampleOrigin = z.infer<typeof SampleOrigin>;

/** One thing to be graded, with its identity. */
export const Sample = z.strictObject({
  id: SampleId,
  /** Hash of the content alone: equal for duplicates that arrived under several ids. */
  content_hash: z.string(),
  content: SampleContent,
  origin: SampleOrigin,
});
export type Sample = z.infer<typeof Sample>;

/**
 * Gives content its identity: the id follows from the content, and from the source's own id where there is one,
 * so that two rows with the same text stay two items and are known as duplicates by `content_hash`.
 */
export function identify(content: SampleContent, origin: SampleOrigin, digest: Digest = sha256): Sample {
  const hash = `sha256:${digest(canonicalContent(content))}`;
  const identity = origin.external === undefined ? hash : digest(`${hash}\n${origin.external}`);
  return { id: `s_${identity.slice(-20)}`, content_hash: hash, content, origin };
}

/**
 * The canonical JSON of content. Where every value is text, keys written in order are canonical as they stand, which
 * spares a million rows the general walk.
 */
export function canonicalContent(content: SampleContent): string {
  if (content.kind === 'trace') return canonicalJson(content);
  const { context, input, kind, reference } = content;
  const answer =
    content.kind === 'single'
      ? { output: content.output }
      : { outputs: { a: content.outputs.a, b: content.outputs.b } };
  return JSON.stringify({ context, input, kind, ...answer, reference });
}

/** The unit that splits and standard errors respect: the group, or the duplicates' common content. */
export function clusterOf(sample: Pick<Sample, 'content_hash' | 'origin'>): string {
  return sample.origin.group ?? sample.content_hash;
}

/** The names of the places that a quote may come from. */
export const SampleField = z.enum([
  'input',
  'output',
  'output_a',
  'output_b',
  'context',
  'reference',
  'trace',
]);
export type SampleField = z.infer<typeof SampleField>;

/** The raw text of one field (of one step where the field is the trace), or null where the sample has none. */
export function fieldText(content: SampleContent, field: SampleField, step?: number): string | null {
  switch (field) {
    case 'input':
      return content.input;
    case 'context':
      return content.context ?? null;
    case 'reference':
      return content.reference ?? null;
    case 'output':
      return content.kind === 'pair' ? null : (content.output ?? null);
    case 'output_a':
      return content.kind === 'pair' ? content.outputs.a : null;
    case 'output_b':
      return content.kind === 'pair' ? content.outputs.b : null;
    case 'trace': {
      const found =
        content.kind === 'trace' && step !== undefined ? content.trace.steps[step - 1] : undefined;
      return found === undefined ? null : stepText(found);
    }
  }
}
