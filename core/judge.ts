import { z } from 'zod';
import { contentHash } from './hash.ts';
import { isFloating, pinInstead } from './pin.ts';
import { type Rubric, Slug, VersionRef, versionRef } from './rubric.ts';

export const ProviderName = z.enum([
  'openai',
  'openai-responses',
  'anthropic',
  'google',
  'openai-compatible',
  'baseline',
  'recorded',
  'panel',
]);
export type ProviderName = z.infer<typeof ProviderName>;

/** The null models that a judge has to beat; each is fitted on the dev split and never sees test. */
export const BaselineModel = z.enum(['majority@1', 'length@1', 'overlap@1']);
export type BaselineModel = z.infer<typeof BaselineModel>;

/** How a panel's members come to one verdict. */
export const PanelVote = z.enum(['majority', 'median', 'unanimous']);
export type PanelVote = z.infer<typeof PanelVote>;

/** The longest reply that a judge may be given, tokens. */
export const MOST_OUTPUT_TOKENS = 64_000;

export const JudgeParams = z.strictObject({
  temperature: z.number().min(0).max(2).nullable().default(null),
  max_output_tokens: z.number().int().min(16).max(MOST_OUTPUT_TOKENS).default(800),
  reasoning_effort: z.enum(['minimal', 'low', 'medium', 'high']).nullable().default(null),
  seed: z.number().int().nullable().default(null),
});
export type JudgeParams = z.infer<typeof JudgeParams>;

/** The version of our reply parser; part of every judge's hash. */
export const PARSER_VERSION = 1;

/** A judge's keys, a panel's provider and model filled in. */
const JudgeFile = z
  .strictObject({
    judge: Slug,
    version: z.number().int().positive(),
    rubric: VersionRef,
    criteria: z.array(Slug).min(1),
    together: z.boolean().default(false),
    provider: ProviderName,
    model: z.string().min(1).max(200),
    allow_floating: z.boolean().default(false),
    family: z.string().min(1).max(80).optional(),
    endpoint: Slug.nullable().default(null),
    params: JudgeParams.default(JudgeParams.parse({})),
    prompt: z.string().min(1).max(300).default('default@1'),
    output: z.enum(['structured', 'tool', 'text']).default('structured'),
    evidence: z
      .strictObject({
        min_chars: z.number().int().min(1).max(200).default(12),
        max_quotes: z.number().int().min(1).max(10).default(3),
        reask: z.number().int().min(0).max(2).default(1),
      })
      .default({ min_chars: 12, max_quotes: 3, reask: 1 }),
    pairwise: z
      .strictObject({ orders: z.enum(['both', 'ab', 'ba']).default('both') })
      .default({ orders: 'both' }),
    /** What to do with answers that are none (empty, marks only, an opening and nothing after it). */
    trivial: z.enum(['unscored', 'ask']).default('unscored'),
    repeats: z.number().int().min(1).max(25).default(1),
    parser: z.literal(PARSER_VERSION).default(PARSER_VERSION),
    upgrades: VersionRef.optional(),
    /** The judges whose verdicts a panel combines. */
    panel: z.array(VersionRef).optional(),
    vote: PanelVote.optional(),
  })
  .superRefine((judge, ctx) => {
    checkPanel(judge, ctx);
    if (judge.provider === 'openai-compatible' && judge.endpoint === null) {
      ctx.addIssue({
        code: 'custom',
        path: ['endpoint'],
        message: 'an openai-compatible judge names an endpoint of touchstone.yaml',
      });
    }
    if (judge.provider === 'recorded' && judge.endpoint === null) {
      ctx.addIssue({
        code: 'custom',
        path: ['endpoint'],
        message: 'a recorded judge names its recording: recordings/<endpoint>.jsonl',
      });
    }
    if (!['openai-compatible', 'recorded'].includes(judge.provider) && judge.endpoint !== null) {
      ctx.addIssue({
        code: 'custom',
        path: ['endpoint'],
        message: 'only openai-compatible and recorded judges name an endpoint',
      });
    }
    if (judge.provider === 'baseline' && !BaselineModel.safeParse(judge.model).success) {
      ctx.addIssue({
        code: 'custom',
        path: ['model'],
        message: `a baseline is one of ${BaselineModel.options.join(', ')}`,
      });
    }
    if (isFloating(judge.provider, judge.model) && !judge.allow_floating) {
      ctx.addIssue({
        code: 'custom',
        path: ['model'],
        message: `"${judge.model}" is a floating alias; name ${pinInstead(judge.provider, judge.model)}, or say allow_floating: true and do without calibration`,
      });
    }
  });

/**
 * One immutable judge version, as its file says it. A panel calls no model: its file has `panel` and `vote` in place of
 * `provider` and `model`, which follow from them.
 */
export const Judge = z.preprocess((said: z.input<typeof JudgeFile>) => {
  const isPanel = typeof said === 'object' && said !== null && 'panel' in said;
  return isPanel ? Object.assign({ provider: 'panel', model: said.vote ?? 'majority' }, said) : said;
}, JudgeFile);
export type Judge = z.infer<typeof Judge>;

/** For editors, which see neither the filling in nor the checks above. */
Judge.register(z.globalRegistry, {
  required: ['judge', 'version', 'rubric', 'criteria'],
  anyOf: [{ required: ['provider', 'model'] }, { required: ['panel', 'vote'] }],
});

function checkPanel(
  { judge, version, provider, model, panel, vote }: z.input<typeof JudgeFile>,
  ctx: z.core.$RefinementCtx,
): void {
  const say = (path: (string | number)[], message: string) => ctx.addIssue({ code: 'custom', path, message });
  const votes = PanelVote.options.join(', ');
  if (panel === undefined || vote === undefined) {
    if (panel !== undefined) say(['panel'], `a panel says how it votes: vote: ${votes}`);
    else if (vote !== undefined || provider === 'panel')
      say([vote === undefined ? 'provider' : 'vote'], 'a panel names its members: panel: [judge@version, …]');
    return;
  }
  if (provider !== 'panel') say(['provider'], 'a panel calls no model; leave provider and model out');
  else if (model !== vote) say(['model'], 'a panel calls no model; leave model out');
  const least = vote === 'unanimous' ? 2 : 3;
  if (panel.length < least) say(['panel'], `a panel that votes ${vote} has at least ${least} members`);
  panel.forEach((ref, index) => {
    if (panel.indexOf(ref) < index) say(['panel', index], `${ref} has one vote; name it once`);
    if (ref === versionRef(judge, version)) say(['panel', index], 'a panel is no member of itself');
  });
}

export function judgeRef(judge: Judge): VersionRef {
  return versionRef(judge.judge, judge.version);
}

/** The family that a judge's model belongs to, for self-preference: stated, or that of its provider. */
export function judgeFamily(judge: Judge): string {
  return judge.family ?? (judge.provider === 'openai-responses' ? 'openai' : judge.provider);
}

/** A judge with all that its scores depend on: its rubric, its prompt text, its few-shot samples' hashes. */
export interface ResolvedJudge {
  judge: Judge;
  rubric: Rubric;
  promptText: string;
  /** Content hash of each few-shot example by sample id. */
  examples: Record<string, string>;
  hash: string;
}

/**
 * The one hash that a judge version is known by (formats 1): everything in its file, rubric, prompt, few-shots.
 * @param members of a panel: each member's own hash, in the panel's order.
 */
export function judgeHash(parts: Omit<ResolvedJudge, 'hash'>, members: readonly string[] = []): string {
  return contentHash({
    judge: parts.judge,
    rubric: parts.rubric,
    prompt: parts.promptText,
    examples: parts.examples,
    ...(members.length > 0 && { members }),
  });
}

/** What a baseline learned from dev: everything it needs to give a verdict, small enough to stand in a file. */
export const BaselineFit = z.strictObject({
  /** Where it was learned: the label set version and its hash. */
  label_set: VersionRef,
  label_set_hash: z.string(),
  n: z.number().int().positive(),
  criteria: z.record(
    Slug,
    z.discriminatedUnion('rule', [
      z.strictObject({ rule: z.literal('constant'), value: z.string() }),
      z.strictObject({
        rule: z.literal('cuts'),
        /** Levels in the order in which the feature rises. */
        levels: z.array(z.string()).min(2),
        /** Rising cut points, one fewer than levels: the first level stands below the first cut. */
        cuts: z.array(z.number()),
      }),
    ]),
  ),
});
export type BaselineFit = z.infer<typeof BaselineFit>;
