import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AlphaLevel, krippendorffAlpha } from '../../../core/stats/alpha.ts';
import { bootstrap } from '../../../core/stats/bootstrap.ts';
import { clusterSE } from '../../../core/stats/cluster-se.ts';
import { confusionMetrics } from '../../../core/stats/confusion.ts';
import { contingencyTable, type Label } from '../../../core/stats/contingency.ts';
import { fleissKappa } from '../../../core/stats/fleiss.ts';
import { brennanPredigerMulti } from '../../../core/stats/gwet.ts';
import { cohenKappa } from '../../../core/stats/kappa.ts';
import { mean } from '../../../core/stats/moments.ts';
import { passAtK, passHatK } from '../../../core/stats/pass-k.ts';
import { percentAgreement } from '../../../core/stats/percent.ts';
import { suiteInterval } from '../../../core/stats/suite-interval.ts';
import { suitePassHat } from '../../../core/stats/suite-t.ts';
import { wilson } from '../../../core/stats/wilson.ts';
import { dataDir, readData, readRows } from '../../data.ts';
import { expectCohen, expectEnds, expectNear, GoldenCohen, GoldenFleiss, num } from './public-figures.ts';

const label = z.union([z.string(), z.number(), z.null()]);
const byK = z.record(z.string(), num);

describe.skipIf(dataDir() === null)(
  'public data: many raters with missing ratings',
  { timeout: 60_000 },
  () => {
    const metric = z.object({
      level: z.enum(['nominal', 'ordinal']),
      units_used: num,
      published_alpha: num,
      alpha_nominal: num,
      alpha_ordinal: num.optional(),
      alpha_interval: num.optional(),
      fleiss: GoldenFleiss.optional(),
    });
    const Golden = z.object({
      sets: z.record(z.string(), z.object({ metrics: z.record(z.string(), metric) })),
    });
    const row = z.object({ ratings: z.record(z.string(), z.array(label)) });

    it.each(['dices_990', 'dices_350_crowdsourced', 'recipes', 'inferential'])(
      '%s: alpha as published',
      (set) => {
        const rows = readRows(`krippendorff/${set}.jsonl`, row);
        const golden = readData('krippendorff/golden.json', Golden).sets[set];
        for (const [name, figures] of Object.entries(golden?.metrics ?? {})) {
          const ratings = rows.map((unit) => unit.ratings[name] ?? []);
          const alpha = (level: AlphaLevel) => krippendorffAlpha(ratings, level);
          expectNear(alpha(figures.level).value, figures.published_alpha);
          expect(alpha('nominal').n).toBe(figures.units_used);
          expectNear(alpha('nominal').value, figures.alpha_nominal);
          if (figures.alpha_ordinal !== undefined) expectNear(alpha('ordinal').value, figures.alpha_ordinal);
          if (figures.alpha_interval !== undefined)
            expectNear(alpha('interval').value, figures.alpha_interval);
          if (figures.fleiss === undefined) continue;
          const fleiss = fleissKappa(ratings);
          expectNear(fleiss.value, figures.fleiss.fleiss_kappa);
          expectNear(fleiss.po, figures.fleiss.mean_pairwise_agreement);
          expectNear(brennanPredigerMulti(ratings).value, figures.fleiss.randolph_kappa_free_marginal);
        }
      },
    );
  },
);

describe.skipIf(dataDir() === null)('public data: repeated trials', { timeout: 60_000 }, () => {
  it.each(['input', 'output'])('code %s prediction: pass@k and pass^k as published', (set) => {
    const sets = z.record(
      z.string(),
      z.object({
        pass_at_k: byK,
        pass_hat_k: byK,
        published_in_file: z.object({ pass_at_1: num, pass_at_5: num }),
      }),
    );
    const golden = readData('cruxeval/golden.json', z.object({ sets })).sets[set];
    const rows = readRows(`cruxeval/codellama7b_${set}.jsonl`, z.object({ trials: z.array(num) }));
    const average = (formula: typeof passAtK, k: number) =>
      mean(
        rows.map(
          ({ trials }) => formula(trials.length, trials.filter((trial) => trial === 1).length, k).value ?? -1,
        ),
      );
    for (const [k, expected] of Object.entries(golden?.pass_at_k ?? {}))
      expectNear(average(passAtK, Number(k)), expected);
    for (const [k, expected] of Object.entries(golden?.pass_hat_k ?? {})) {
      expectNear(average(passHatK, Number(k)), expected);
      expectNear(
        suiteInterval(
          rows.map(({ trials }) => trials),
          Number(k),
        ).value,
        expected,
      );
    }
    expectNear(100 * average(passAtK, 1), golden?.published_in_file.pass_at_1);
    expectNear(100 * average(passAtK, 5), golden?.published_in_file.pass_at_5);
  });

  describe('airline agent, 50 tasks by 4 trials', () => {
    const matcher = z.object({
      kappa: num,
      percent_agreement: num,
      table_rows_outcome_cols_matcher: z.array(z.array(num)),
    });
    const Golden = z.object({
      pass_hat_k: byK,
      pass_at_k: byK,
      published_README_airline_TC_gpt4o: byK,
      wilson95_pooled_runs_ignores_clustering: z.tuple([num, num]),
      se_clustered_by_task: num,
      ci95_clustered_t: z.tuple([num, num]),
      se_naive_binomial: num,
      wilson95_pass_hat_4_tasks_all_4: z.tuple([num, num]),
      bootstrap_tasks_10000_seed_20240101_percentile95: z.record(z.string(), z.tuple([num, num])),
      trajectory_matcher_vs_outcome: z.record(z.string(), matcher),
    });
    const run = z.object({ task_id: num, published_reward: num });
    const read = () => {
      const runs = [1, 2].flatMap((part) => readRows(`tau_airline/tau_airline_part${part}.jsonl`, run));
      const tasks = new Map<number, number[]>();
      for (const { task_id, published_reward } of runs)
        tasks.set(task_id, [...(tasks.get(task_id) ?? []), published_reward]);
      return { runs, tasks: [...tasks.values()], golden: readData('tau_airline/golden.json', Golden) };
    };

    it('pass^k and pass@k as published', () => {
      const { tasks, golden } = read();
      for (const [k, expected] of Object.entries(golden.pass_hat_k)) {
        const value = suiteInterval(tasks, Number(k)).value;
        expectNear(value, expected);
        expect(Number(value?.toFixed(3))).toBe(golden.published_README_airline_TC_gpt4o[k]);
      }
      const atK = (k: number) =>
        mean(tasks.map((trials) => passAtK(4, trials.filter((trial) => trial === 1).length, k).value ?? -1));
      for (const [k, expected] of Object.entries(golden.pass_at_k)) expectNear(atK(Number(k)), expected);
    });

    it('errors by task, not by run', () => {
      const { runs, tasks, golden } = read();
      const rewards = runs.map(({ published_reward }) => published_reward);
      const clustered = clusterSE(
        rewards,
        runs.map(({ task_id }) => task_id),
      );
      expectNear(clustered.se, golden.se_clustered_by_task);
      expectNear(clustered.seNaive, golden.se_naive_binomial);
      expectEnds(clustered.ci, golden.ci95_clustered_t);
      expectEnds(suitePassHat(tasks).ci, golden.ci95_clustered_t);
      expectEnds(wilson(84, 200).ci, golden.wilson95_pooled_runs_ignores_clustering);
      const all = tasks.filter((trials) => trials.every((trial) => trial === 1)).length;
      expectEnds(wilson(all, 50).ci, golden.wilson95_pass_hat_4_tasks_all_4);
      const ours = suiteInterval(tasks).ci;
      expect(ours?.low).toBeLessThan(golden.wilson95_pooled_runs_ignores_clustering[0]);
    });

    it("bootstraps near another generator's intervals", () => {
      const { tasks, golden } = read();
      for (const [k, [low, high]] of Object.entries(
        golden.bootstrap_tasks_10000_seed_20240101_percentile95,
      )) {
        const hats = tasks.map(
          (trials) => passHatK(4, trials.filter((trial) => trial === 1).length, Number(k)).value ?? -1,
        );
        const { ci } = bootstrap(50, (units) => mean(units.map((unit) => hats[unit] ?? 0)), {
          seed: 1,
          B: 4000,
          method: 'percentile',
        });
        expect(Math.abs((ci?.low ?? 9) - low)).toBeLessThan(0.02);
        expect(Math.abs((ci?.high ?? 9) - high)).toBeLessThan(0.02);
      }
    });

    it('agreement of trajectory matchers with outcomes', () => {
      for (const figures of Object.values(read().golden.trajectory_matcher_vs_outcome)) {
        const kappa = cohenKappa(figures.table_rows_outcome_cols_matcher);
        expectNear(kappa.value, figures.kappa);
        expectNear(kappa.po, figures.percent_agreement);
      }
    });
  });

  it('another agent: component checks against reward', () => {
    const check = z.object({
      kappa_with_reward: num.nullable(),
      percent_agreement_with_reward: num,
      table_rows_reward_cols_check: z.array(z.array(num)),
    });
    const domain = z
      .object({ runs: num, successes: num, wilson95: z.tuple([num, num]) })
      .catchall(z.unknown());
    const { domains } = readData(
      'tau2_toolorchestra/golden.json',
      z.object({ domains: z.record(z.string(), domain) }),
    );
    let checks = 0;
    for (const { runs, successes, wilson95, ...rest } of Object.values(domains)) {
      expectEnds(wilson(successes, runs).ci, wilson95);
      for (const figures of Object.values(rest).map((value) => check.safeParse(value).data)) {
        if (figures === undefined) continue;
        checks++;
        const kappa = cohenKappa(figures.table_rows_reward_cols_check);
        expectNear(kappa.value, figures.kappa_with_reward);
        expectNear(kappa.po, figures.percent_agreement_with_reward);
      }
    }
    expect(checks).toBe(8);
  });
});

describe.skipIf(dataDir() === null)(
  'public data: pairwise verdicts with ties, three annotators',
  { timeout: 60_000 },
  () => {
    const perLabel = z.object({ precision: num, recall: num, f1: num, support: num });
    const judge = z.object({
      unparsed: z.array(z.string()),
      cohen: GoldenCohen,
      classification: z.object({ accuracy: num, macro_f1: num, per_label: z.record(z.string(), perLabel) }),
      per_annotator_kappa: z.record(z.string(), num),
    });
    const Golden = z.object({
      labels: z.array(z.string()),
      human_pairs: z.record(z.string(), GoldenCohen),
      human_fleiss: GoldenFleiss,
      human_krippendorff_nominal: z.object({ alpha: num }),
      judge_vs_majority: z.record(z.string(), judge),
      reproduction: z.object({
        judges: z.record(
          z.string(),
          z.object({ published_acc_P_R_F1: z.array(num), kappa_unreadable_as_tie: num }),
        ),
      }),
    });
    const row = z.object({
      id: z.string(),
      human: z.record(z.string(), z.string()),
      human_majority: z.string(),
      judges: z.record(z.string(), z.object({ verdict: z.string().nullable() })),
    });
    const read = () => ({
      rows: readRows('pandalm/pandalm.jsonl', row),
      golden: readData('pandalm/golden.json', Golden),
    });

    it('humans among themselves', () => {
      const { rows, golden } = read();
      for (const [pair, figures] of Object.entries(golden.human_pairs)) {
        const [a = '', b = ''] = pair.split('~');
        const labels = (who: string): Label[] => rows.map(({ human }) => human[who]);
        expectCohen(contingencyTable(labels(a), labels(b), golden.labels).table, figures);
        expectEnds(percentAgreement(labels(a), labels(b)).ci, figures.percent_agreement_wilson95);
      }
      const ratings = rows.map(({ human }) => Object.values(human));
      expectNear(fleissKappa(ratings).value, golden.human_fleiss.fleiss_kappa);
      expectNear(krippendorffAlpha(ratings, 'nominal').value, golden.human_krippendorff_nominal.alpha);
    });

    it('judges against the majority, unreadable verdicts left out by name', () => {
      const { rows, golden } = read();
      for (const [name, figures] of Object.entries(golden.judge_vs_majority)) {
        const verdict = (entry: (typeof rows)[number]) => entry.judges[name]?.verdict ?? null;
        expect(rows.filter((entry) => verdict(entry) === null).map(({ id }) => id)).toEqual(figures.unparsed);
        const majority = rows.map(({ human_majority }) => human_majority);
        const { table, nMissing } = contingencyTable(majority, rows.map(verdict), golden.labels);
        expect(nMissing).toBe(figures.unparsed.length);
        expectCohen(table, figures.cohen);
        const metrics = confusionMetrics(table);
        expectNear(metrics.accuracy.value, figures.classification.accuracy);
        expectNear(metrics.macroF1, figures.classification.macro_f1);
        golden.labels.forEach((level, k) => {
          expectNear(metrics.classes[k]?.precision.value, figures.classification.per_label[level]?.precision);
          expectNear(metrics.classes[k]?.recall.value, figures.classification.per_label[level]?.recall);
          expectNear(metrics.classes[k]?.f1, figures.classification.per_label[level]?.f1);
        });
        for (const [annotator, kappa] of Object.entries(figures.per_annotator_kappa)) {
          const theirs = rows.map(({ human }) => human[annotator]);
          expectNear(
            cohenKappa(contingencyTable(theirs, rows.map(verdict), golden.labels).table).value,
            kappa,
          );
        }
      }
    });

    it('the published figures come out only when unreadable verdicts count as ties', () => {
      const { rows, golden } = read();
      for (const [name, figures] of Object.entries(golden.reproduction.judges)) {
        const majority = rows.map(({ human_majority }) => human_majority);
        const asTies = rows.map(({ judges }) => judges[name]?.verdict ?? 'tie');
        const { table } = contingencyTable(majority, asTies, golden.labels);
        const { accuracy, classes, macroF1 } = confusionMetrics(table);
        const macro = (pick: (entry: (typeof classes)[number]) => number | null) =>
          mean(classes.map((entry) => pick(entry) ?? 0));
        const recomputed = [
          accuracy.value ?? 0,
          macro((c) => c.precision.value),
          macro((c) => c.recall.value),
          macroF1 ?? 0,
        ];
        expect(recomputed.map((figure) => Number((100 * figure).toFixed(2)))).toEqual(
          figures.published_acc_P_R_F1,
        );
        expectNear(cohenKappa(table).value, figures.kappa_unreadable_as_tie);
      }
    });
  },
);
