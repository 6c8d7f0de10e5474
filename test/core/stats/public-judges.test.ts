import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AlphaLevel, krippendorffAlpha } from '../../../core/stats/alpha.ts';
import { altTest } from '../../../core/stats/alt-test.ts';
import { contingencyTable, type Label } from '../../../core/stats/contingency.ts';
import { fleissKappa } from '../../../core/stats/fleiss.ts';
import { mean } from '../../../core/stats/moments.ts';
import { positionBias } from '../../../core/stats/position.ts';
import { quantile7 } from '../../../core/stats/quantile.ts';
import { rankCorrelation } from '../../../core/stats/rank.ts';
import { dataDir, readData, readRows } from '../../data.ts';
import { expectCohen, expectEnds, expectNear, GoldenCohen, GoldenFleiss, num } from './public-figures.ts';

const label = z.union([z.string(), z.number(), z.null()]);

const SETS = ['wax', 'framing', 'cebab_aspects', 'cebab_stars', '10k_prompts', 'summeval'];

const AnnotatorSet = z.object({
  scale: z.enum(['nominal', 'ordinal']),
  groups: z.record(
    z.string(),
    z.object({
      n: num,
      krippendorff: z.record(z.string(), z.object({ alpha: num })),
      fleiss: GoldenFleiss.optional(),
      human_pairs: z.record(z.string(), GoldenCohen).optional(),
      judges: z.record(
        z.string(),
        z.object({
          vs_human_plurality: GoldenCohen.optional(),
          items_without_plurality: num.optional(),
          vs_human_median: GoldenCohen.optional(),
          vs_each: z.record(z.string(), GoldenCohen).optional(),
          vs_human_mean: z
            .object({
              n: num,
              pearson: num,
              spearman: num,
              kendall_tau_b: num,
              kendall_p: num,
              bias_judge_minus_human: num,
            })
            .optional(),
        }),
      ),
    }),
  ),
});

const AltTestFigures = z.object({
  winning_rate: num,
  advantage_probability: num,
  humans_tested: num,
  passes: z.boolean(),
  metric: z.enum(['accuracy', 'neg_rmse']),
  epsilon: num,
  published: z.object({ status: z.string(), winning_rate: num, advantage_probability: num }),
  per_human: z.record(
    z.string(),
    z.object({ n: num, rho_llm: num, rho_human: num, mean_diff: num, p: num, rejected: z.boolean() }),
  ),
});

const Annotated = z.object({
  humans: z.record(z.string(), label),
  judges: z.record(z.string(), label),
  dimension: z.string().optional(),
});
type Annotated = z.infer<typeof Annotated>;

describe.skipIf(dataDir() === null)('public data: judges among annotators', { timeout: 60_000 }, () => {
  const Golden = z.object({
    alt_test: z.record(z.string(), AltTestFigures),
    sets: z.record(z.string(), AnnotatorSet),
  });

  it.each(SETS)('%s: alternative annotator test as published', (set) => {
    const rows = readRows(`alttest/${set}.jsonl`, Annotated);
    const golden = readData('alttest/golden.json', Golden);
    const tests = Object.entries(golden.alt_test).filter(([name]) => name.startsWith(`${set} :: `));
    expect(tests).toHaveLength(6);
    for (const [name, figures] of tests) {
      const judge = name.split(' :: ')[1] ?? '';
      const people = Object.keys(figures.per_human);
      const everyone = [...new Set(rows.flatMap(({ humans }) => Object.keys(humans)))];
      const labels = everyone.map((who) => rows.map(({ humans }): Label => humans[who]));
      const result = altTest(
        labels,
        rows.map(({ judges }): Label => judges[judge]),
        {
          epsilon: figures.epsilon,
          score: figures.metric === 'accuracy' ? 'accuracy' : 'rmse',
        },
      );
      expectNear(result.winningRate, figures.winning_rate);
      expectNear(result.advantageProbability, figures.advantage_probability);
      expect(result.passes).toBe(figures.passes);
      expect(Math.abs((result.winningRate ?? 9) - figures.published.winning_rate)).toBeLessThanOrEqual(
        0.00501,
      );
      expect(result.humans.map(({ human }) => everyone[human]).sort()).toEqual(people.sort());
      for (const tested of result.humans) {
        const theirs = figures.per_human[everyone[tested.human] ?? ''];
        expect(tested.n).toBe(theirs?.n);
        expectNear(tested.judgeAdvantage, theirs?.rho_llm);
        expectNear(tested.humanAdvantage, theirs?.rho_human);
        expectNear(tested.meanDifference, theirs?.mean_diff);
        expectNear(tested.p, theirs?.p);
        expect(tested.rejected).toBe(theirs?.rejected);
      }
    }
  });

  it.each(SETS)('%s: agreement of humans and of every judge', (set) => {
    const rows = readRows(`alttest/${set}.jsonl`, Annotated);
    const golden = readData('alttest/golden.json', Golden).sets[set];
    let judged = 0;
    for (const [group, figures] of Object.entries(golden?.groups ?? {})) {
      const items = group === 'all' ? rows : rows.filter(({ dimension }) => dimension === group);
      expect(items).toHaveLength(figures.n);
      const ratings = items.map(({ humans }) => Object.values(humans));
      for (const [level, { alpha }] of Object.entries(figures.krippendorff)) {
        expectNear(krippendorffAlpha(ratings, alphaLevel(level)).value, alpha);
      }
      if (figures.fleiss !== undefined) expectNear(fleissKappa(ratings).value, figures.fleiss.fleiss_kappa);
      for (const [pair, cohen] of Object.entries(figures.human_pairs ?? {})) {
        const [a = '', b = ''] = pair.split('~');
        expectCohen(
          tableOf(
            items,
            (item) => item.humans[a],
            (item) => item.humans[b],
            cohen,
          ),
          cohen,
        );
      }
      for (const [judge, figure] of Object.entries(figures.judges)) {
        judged++;
        expectJudge(items, judge, figure);
      }
    }
    expect(judged).toBeGreaterThanOrEqual(6);
  });
});

type JudgeFigures = z.infer<typeof AnnotatorSet>['groups'][string]['judges'][string];

function expectJudge(items: readonly Annotated[], judge: string, figures: JudgeFigures): void {
  const verdict = (item: Annotated) => item.judges[judge];
  if (figures.vs_human_plurality !== undefined) {
    expectCohen(tableOf(items, plurality, verdict, figures.vs_human_plurality), figures.vs_human_plurality);
    expect(items.filter((item) => plurality(item) === null)).toHaveLength(
      figures.items_without_plurality ?? 0,
    );
  }
  if (figures.vs_human_median !== undefined) {
    expectCohen(tableOf(items, medianLevel, verdict, figures.vs_human_median), figures.vs_human_median);
  }
  for (const [who, cohen] of Object.entries(figures.vs_each ?? {})) {
    expectCohen(
      tableOf(items, (item) => item.humans[who], verdict, cohen),
      cohen,
    );
  }
  const ranks = figures.vs_human_mean;
  if (ranks === undefined) return;
  const paired = items.filter((item) => typeof verdict(item) === 'number');
  const [scores, humans] = [paired.map((item) => Number(verdict(item))), paired.map(humanMean)];
  const { rho, tauB, pearson } = rankCorrelation(humans, scores);
  expect(paired).toHaveLength(ranks.n);
  expectNear(pearson.value, ranks.pearson);
  expectNear(rho.value, ranks.spearman);
  expectNear(tauB.value, ranks.kendall_tau_b);
  expectNear(tauB.p, ranks.kendall_p);
  expectNear(mean(scores.map((score, item) => score - (humans[item] ?? 0))), ranks.bias_judge_minus_human);
}

function tableOf(
  items: readonly Annotated[],
  a: (item: Annotated) => Label,
  b: (item: Annotated) => Label,
  figures: GoldenCohen,
): number[][] {
  return contingencyTable(items.map(a), items.map(b), figures.labels).table;
}

function humanScores({ humans }: Annotated): number[] {
  return Object.values(humans).filter((value) => typeof value === 'number');
}

function humanMean(item: Annotated): number {
  return mean(humanScores(item));
}

function medianLevel(item: Annotated): Label {
  return quantile7(humanScores(item), 0.5);
}

/** The commonest human label; null where two are equally common. */
function plurality({ humans }: Annotated): Label {
  const counts = new Map<Label, number>();
  for (const value of Object.values(humans)) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, x], [, y]) => y - x);
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}

function alphaLevel(name: string): AlphaLevel {
  return z.enum(['nominal', 'ordinal', 'interval', 'ratio']).parse(name);
}

describe.skipIf(dataDir() === null)(
  'public data: pairwise judges in both orders',
  { timeout: 60_000 },
  () => {
    const Combo = z.object({
      both_orders: z.object({
        both_parsed: num,
        position_consistent_count: num,
        position_conflict_rate_of_both_parsed: num.nullable(),
        position_conflict_wilson95: z.tuple([num, num]).nullable(),
        conflict_slot1_both: num,
        conflict_slot2_both: num,
        conflict_direction_sign_test_p: num.nullable(),
      }),
      kappa_gold_order_ab: GoldenCohen,
      kappa_gold_order_ba: GoldenCohen,
      kappa_between_orders: GoldenCohen,
    });
    const Row = z.object({
      subset: z.string(),
      gold: z.string(),
      judges: z.record(z.string(), z.object({ ab: z.string().nullable(), ba: z.string().nullable() })),
    });

    it('all 499 pairs of judge and subset: kappas, conflicts and the direction of conflicts', () => {
      const { combos } = readData('llmbar/golden.json', z.object({ combos: z.record(z.string(), Combo) }));
      const rows = ['llmbar', 'llmbar_processed', 'llmbar_casestudy'].flatMap((file) =>
        readRows(`llmbar/${file}.jsonl`, Row),
      );
      expect(Object.keys(combos)).toHaveLength(499);
      for (const [name, figures] of Object.entries(combos)) {
        const [subset = '', judge = ''] = name.split(' :: ');
        const items = rows.filter((row) => row.subset === subset && row.judges[judge] !== undefined);
        const gold = items.map((row) => row.gold);
        const [ab, ba] = [
          items.map((row) => row.judges[judge]?.ab),
          items.map((row) => row.judges[judge]?.ba),
        ];
        const levels = ['A', 'B'];
        expectCohen(contingencyTable(gold, ab, levels).table, figures.kappa_gold_order_ab);
        expectCohen(contingencyTable(gold, ba, levels).table, figures.kappa_gold_order_ba);
        const between = contingencyTable(ab, ba, levels).table;
        expectCohen(between, figures.kappa_between_orders);
        const [consistentA = 0, firstBoth = 0, secondBoth = 0, consistentB = 0] = between.flat();
        const bias = positionBias({ consistentA, consistentB, firstBoth, secondBoth, mixedWithTie: 0 });
        const orders = figures.both_orders;
        expect(bias.n).toBe(orders.both_parsed);
        expect(consistentA + consistentB).toBe(orders.position_consistent_count);
        expect([firstBoth, secondBoth]).toEqual([orders.conflict_slot1_both, orders.conflict_slot2_both]);
        expectNear(bias.conflictRate.value, orders.position_conflict_rate_of_both_parsed);
        expectEnds(bias.conflictRate.ci, orders.position_conflict_wilson95);
        if (firstBoth + secondBoth > 0) expectNear(bias.p, orders.conflict_direction_sign_test_p);
      }
    });
  },
);
