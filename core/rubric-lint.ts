import { z } from 'zod';
import type { Criterion, Rubric } from './rubric.ts';

/** Something in a rubric that will cost agreement. Errors block publishing, warnings do not. */
export const LintFinding = z.strictObject({
  rule: z.enum([
    'no_anchor',
    'degree_words',
    'two_questions',
    'rate_quality',
    'code_could_check',
    'overlapping_anchors',
    'no_way_out',
  ]),
  severity: z.enum(['error', 'warning']),
  /** Key path in the file, such as `criteria.0.levels.1.anchor`. */
  path: z.string(),
  message: z.string(),
});
export type LintFinding = z.infer<typeof LintFinding>;

/** Finds what makes a rubric hard to agree on (formats 1). */
export function lintRubric(rubric: Rubric): LintFinding[] {
  return rubric.criteria.flatMap((criterion, index) => lintCriterion(criterion, `criteria.${index}`));
}

function lintCriterion(criterion: Criterion, path: string): LintFinding[] {
  return [
    ...missingAnchors(criterion, path),
    ...degreeOnly(criterion, path),
    ...overlapping(criterion, path),
    ...codeCouldCheck(criterion, path),
    ...question(criterion, path),
    ...wayOut(criterion, path),
  ];
}

function missingAnchors({ levels }: Criterion, path: string): LintFinding[] {
  return levels.flatMap((level, index) =>
    (level.anchor ?? '').trim() === ''
      ? [
          {
            rule: 'no_anchor' as const,
            severity: 'error' as const,
            path: `${path}.levels.${index}`,
            message: `level "${level.value}" has no anchor: say what a reader would see at this level`,
          },
        ]
      : [],
  );
}

const DEGREE = new Set(
  'very somewhat slightly mostly partly partially fairly highly extremely really quite rather more less most least good better best bad worse worst poor excellent great fair average adequate high low medium moderate moderately fully completely not'.split(
    ' ',
  ),
);

/** Anchors that are the same words but for words of degree leave the level to taste. */
function degreeOnly({ levels }: Criterion, path: string): LintFinding[] {
  const seen = new Map<string, string>();
  return levels.flatMap((level, index) => {
    const words = wordsOf(level.anchor ?? '');
    if (words.length === 0) return [];
    const rest = words.filter((word) => !DEGREE.has(word)).join(' ');
    const other = seen.get(rest);
    seen.set(rest, level.value);
    const only = rest === '' || other !== undefined;
    return only
      ? [
          {
            rule: 'degree_words' as const,
            severity: 'warning' as const,
            path: `${path}.levels.${index}.anchor`,
            message:
              other === undefined
                ? `the anchor of "${level.value}" holds words of degree only`
                : `the anchors of "${other}" and "${level.value}" differ by words of degree only: name what a reader would see`,
          },
        ]
      : [];
  });
}

/** Two anchors that share most of their words are told apart by luck. Pairs are the same sentence about A and B by nature. */
function overlapping({ levels, scale }: Criterion, path: string): LintFinding[] {
  if (scale === 'pairwise') return [];
  return levels.flatMap((level, index) =>
    levels.slice(0, index).flatMap((other) => {
      const [one, two] = [wordsOf(level.anchor ?? ''), wordsOf(other.anchor ?? '')];
      const same = one.length > 3 && one.join(' ') === two.join(' ');
      return same
        ? [
            {
              rule: 'overlapping_anchors' as const,
              severity: 'error' as const,
              path: `${path}.levels.${index}.anchor`,
              message: `the anchors of "${other.value}" and "${level.value}" are the same`,
            },
          ]
        : [];
    }),
  );
}

const COUNTABLE =
  /\b(at (?:least|most) \d+ (?:words|characters|sentences|steps|calls)|(?:fewer|more|less) than \d+|exactly \d+|number of (?:words|calls|steps)|calls? the \w+ tool|valid json|before calling)\b/i;

function codeCouldCheck({ levels }: Criterion, path: string): LintFinding[] {
  return levels.flatMap((level, index) =>
    COUNTABLE.test(level.anchor ?? '')
      ? [
          {
            rule: 'code_could_check' as const,
            severity: 'warning' as const,
            path: `${path}.levels.${index}.anchor`,
            message: `code could check this (“${COUNTABLE.exec(level.anchor ?? '')?.[0] ?? ''}”): use a state or trajectory check of a suite`,
          },
        ]
      : [],
  );
}

const RATE =
  /\b(rate|score|assess|evaluate|judge)\b.{0,30}\b(quality|overall|how good)\b|\bhow (good|well)\b.{0,20}\b(is|overall)\b/i;

function question({ question: text }: Criterion, path: string): LintFinding[] {
  const findings: LintFinding[] = [];
  const asked = (text.match(/\?/g) ?? []).length;
  if (asked > 1 || /\b(and|or) (is|does|are|do|has|have|can|should)\b/i.test(text)) {
    findings.push({
      rule: 'two_questions',
      severity: 'warning',
      path: `${path}.question`,
      message: 'the question asks two things: make two criteria of it',
    });
  }
  if (RATE.test(text)) {
    findings.push({
      rule: 'rate_quality',
      severity: 'warning',
      path: `${path}.question`,
      message: '“rate the quality” is answered by taste: ask for something that the anchors can decide',
    });
  }
  return findings;
}

function wayOut(criterion: Criterion, path: string): LintFinding[] {
  if (criterion.not_applicable !== undefined || criterion.scale === 'pairwise') return [];
  return [
    {
      rule: 'no_way_out',
      severity: 'warning',
      path,
      message: 'no not_applicable: where the question does not apply, people will guess',
    },
  ];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
