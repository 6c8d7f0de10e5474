import { ascending, median } from 'd3-array';
import type { BaselineFit, BaselineModel } from './judge.ts';
import type { LabelSetItem } from './label-set.ts';
import { Problem } from './problem.ts';
import { type Criterion, levelValues } from './rubric.ts';
import type { SampleContent } from './sample.ts';

/** What a baseline knows of one criterion. */
export type BaselineRule = BaselineFit['criteria'][string];

/**
 * The measure that a baseline grades by, or null for `majority@1`, which looks at nothing.
 * `length@1`: ln(1 + UTF-16 units of the output). `overlap@1`: the share, 0..1, of the output's distinct words that
 * stand in its context or input. Pairs: the value of A less that of B.
 */
export function baselineFeature(model: BaselineModel, content: SampleContent): number | null {
  if (model === 'majority@1') return null;
  const measure = model === 'length@1' ? lengthOf : (output: string) => overlapOf(output, content);
  if (content.kind === 'pair') return measure(content.outputs.a) - measure(content.outputs.b);
  return measure(content.output ?? '');
}

/**
 * Learns one criterion from the dev split: the commonest level, or cuts of the feature that give dev the shares of
 * levels that its gold has, rising or falling with the level as their rank correlation says.
 * @throws Problem `baseline_without_gold`, or `baseline_nominal` where levels have no order to cut by.
 */
export function fitBaseline(
  model: BaselineModel,
  criterion: Criterion,
  items: readonly LabelSetItem[],
): { rule: BaselineRule; n: number } {
  const known = items.flatMap(({ split, sample, gold }) => {
    const value = gold[criterion.id]?.value;
    if (split !== 'dev' || value === undefined) return [];
    return [{ value, feature: baselineFeature(model, sample.content) }];
  });
  if (known.length === 0) {
    throw new Problem(
      'baseline_without_gold',
      `no dev sample has gold on "${criterion.id}", so ${model} can't learn`,
      {
        remedy: 'Label samples and freeze a label set with a dev split first.',
      },
    );
  }
  if (model !== 'majority@1' && criterion.scale === 'nominal') {
    throw new Problem('baseline_nominal', `${model} needs ordered levels, and "${criterion.id}" is nominal`, {
      remedy: 'Use majority@1 as the baseline of nominal criteria.',
    });
  }
  const counts = countLevels(levelOrder(criterion), known);
  const points = known.flatMap(({ value, feature }) => (feature === null ? [] : [{ value, feature }]));
  const rule = counts.length < 2 || points.length === 0 ? constant(counts) : cutsOf(counts, points);
  return { rule, n: known.length };
}

/** The level that a fitted rule gives a feature. */
export function baselineValue(rule: BaselineRule, feature: number | null): string {
  if (rule.rule === 'constant') return rule.value;
  const above = rule.cuts.filter((cut) => (feature ?? 0) >= cut).length;
  return rule.levels[above] ?? rule.levels[0] ?? '';
}

/** Levels in the order in which they are worth more; of a pair from B over tie to A. */
function levelOrder(criterion: Criterion): string[] {
  return criterion.scale === 'pairwise' ? ['b', 'tie', 'a'] : levelValues(criterion);
}

interface LevelCount {
  value: string;
  n: number;
}

/** Levels that dev has, with how often, in their order. */
function countLevels(levels: readonly string[], known: readonly { value: string }[]): LevelCount[] {
  return levels
    .map((value) => ({ value, n: known.filter((one) => one.value === value).length }))
    .filter(({ n }) => n > 0);
}

function constant(counts: readonly LevelCount[]): BaselineRule {
  const most = Math.max(...counts.map(({ n }) => n));
  return { rule: 'constant', value: counts.find(({ n }) => n === most)?.value ?? '' };
}

interface Point {
  value: string;
  feature: number;
}

function cutsOf(counts: readonly LevelCount[], points: readonly Point[]): BaselineRule {
  const rising = rankSlope(counts, points) < 0 ? counts.toReversed() : counts;
  const sorted = points.map(({ feature }) => feature).sort(ascending);
  let below = 0;
  const cuts = rising.slice(0, -1).map(({ n }) => {
    below += n;
    return ((sorted[below - 1] ?? 0) + (sorted[below] ?? 0)) / 2;
  });
  return { rule: 'cuts', levels: rising.map(({ value }) => value), cuts };
}

/** Has the sign of Spearman's correlation between level and feature; ties take the mean rank. */
function rankSlope(counts: readonly LevelCount[], points: readonly Point[]): number {
  const levels = ranks(points.map(({ value }) => counts.findIndex((count) => count.value === value)));
  const features = ranks(points.map(({ feature }) => feature));
  const middle = (points.length - 1) / 2;
  return levels.reduce(
    (sum, rank, index) => sum + (rank - middle) * ((features[index] ?? middle) - middle),
    0,
  );
}

function ranks(values: readonly number[]): number[] {
  const places = new Map<number, number[]>();
  values.toSorted(ascending).forEach((value, place) => {
    places.set(value, [...(places.get(value) ?? []), place]);
  });
  return values.map((value) => median(places.get(value) ?? []) ?? 0);
}

function lengthOf(output: string): number {
  return Math.log(1 + output.length);
}

function overlapOf(output: string, content: SampleContent): number {
  const words = wordsOf(output);
  const known = wordsOf(`${content.input} ${content.context ?? ''}`);
  if (words.size === 0) return 0;
  return [...words].filter((word) => known.has(word)).length / words.size;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
