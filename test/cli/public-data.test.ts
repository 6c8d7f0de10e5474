import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgreementReport } from '../../core/agreement.ts';
import { dataDir } from '../data.ts';
import { cli } from '../support/cli.ts';
import { type TemporaryWorkspace, temporaryWorkspace } from '../support/workspace.ts';

const folder = dataDir();

/** The figures that independent software computed on the same rows. */
const Golden = z.object({
  n: z.number(),
  table_rows_a_cols_b: z.array(z.array(z.number())).optional(),
  percent_agreement: z.number(),
  percent_agreement_wilson95: z.tuple([z.number(), z.number()]).optional(),
  kappa: z.number().nullable(),
  kappa_se_fce: z.number().nullable().optional(),
  kappa_ci95_statsmodels: z.tuple([z.number().nullable(), z.number().nullable()]).nullable().optional(),
  kappa_max: z.number().nullable().optional(),
  scott_pi: z.number().nullable().optional(),
  gwet_ac1: z.number().nullable().optional(),
  brennan_prediger: z.number().nullable().optional(),
});
type Golden = z.infer<typeof Golden>;

let workspace: TemporaryWorkspace;
beforeAll(() => {
  workspace = temporaryWorkspace();
});
afterAll(() => workspace[Symbol.asyncDispose]());

async function run(...args: string[]): Promise<string> {
  const ended = await cli(args, workspace.root);
  if (ended.code !== 0) throw new Error(`touchstone ${args[0]} ended with ${ended.code}: ${ended.stderr}`);
  return ended.stdout;
}

async function reports(...args: string[]): Promise<AgreementReport[]> {
  return z
    .object({ reports: z.array(AgreementReport) })
    .parse(JSON.parse(await run('agreement', ...args, '--json'))).reports;
}

function golden(name: string): unknown {
  return JSON.parse(readFileSync(join(folder ?? '', name, 'golden.json'), 'utf8'));
}

/** Equal to 1e-9, null for null. */
function close(got: number | null | undefined, wanted: number | null | undefined): void {
  if (wanted === undefined) return;
  if (wanted === null || got == null) expect(got).toBe(wanted);
  else expect(Math.abs(got - wanted)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(wanted)));
}

/** Rows and columns of our table in the order of the golden's labels. */
function reordered(
  { table, categories }: AgreementReport['agreement'],
  labels: readonly string[],
): number[][] {
  const places = labels.map((label) => categories.indexOf(label.toLowerCase()));
  return places.map((row) => places.map((column) => table[row]?.[column] ?? -1));
}

function expectAgreement(
  got: AgreementReport['agreement'],
  raw: unknown,
  { sameLevels }: { sameLevels: boolean },
): void {
  const wanted = Golden.parse(raw);
  const unweighted = got.kappas.find(({ weights }) => weights === 'unweighted');
  expect(got.n).toBe(wanted.n);
  close(got.percent.value, wanted.percent_agreement);
  close(got.percent.ci?.low, wanted.percent_agreement_wilson95?.[0]);
  close(got.percent.ci?.high, wanted.percent_agreement_wilson95?.[1]);
  close(unweighted?.value, wanted.kappa);
  close(unweighted?.se, wanted.kappa_se_fce);
  expectLargeSample(unweighted?.largeSample, wanted);
  if (!sameLevels) return;
  close(got.kappa_max, wanted.kappa_max);
  close(got.scott_pi.value, wanted.scott_pi);
  close(got.ac1.value, wanted.gwet_ac1);
  close(got.brennan_prediger.value, wanted.brennan_prediger);
}

function expectLargeSample(
  got: { low: number; high: number } | null | undefined,
  { kappa_ci95_statsmodels: ci, kappa_se_fce: se }: Golden,
): void {
  if (ci == null || se == null || se < 1e-12 || ci[0] === null || ci[1] === null) return;
  close(got?.low, Math.max(-1, ci[0]));
  close(got?.high, Math.min(1, ci[1]));
}

describe.skipIf(folder === null)(
  'public data with human labels gives the figures that other software computed',
  () => {
    describe('pandalm: 999 pairs, three annotators, two judges', () => {
      let got: AgreementReport[];
      const wanted = z.object({
        judge_vs_majority: z.record(
          z.string(),
          z.object({
            cohen: z.unknown(),
            unparsed: z.array(z.string()),
            per_annotator_kappa: z.record(z.string(), z.number()),
          }),
        ),
        human_pairs: z.record(z.string(), z.unknown()),
        human_fleiss: z.object({ fleiss_kappa: z.number() }),
        human_krippendorff_nominal: z.object({ alpha: z.number() }),
        majority_distribution: z.record(z.string(), z.number()),
      });
      beforeAll(async () => {
        const file = join(folder ?? '', 'pandalm/pandalm.jsonl');
        const args = [
          '--dataset',
          'pandalm',
          '--kind',
          'pair',
          '--scale',
          'pairwise',
          '--criterion',
          'better',
        ];
        await run(
          'import',
          file,
          ...args,
          '--map',
          'input={instruction}\\n{input}',
          '--map',
          'labels=human',
          '--map',
          'verdicts=judges',
        );
        got = await reports('pandalm');
      }, 120_000);

      it.each(['gpt-3.5-turbo', 'pandalm-7b'])('%s against the majority', (name) => {
        const { judge_vs_majority } = wanted.parse(golden('pandalm'));
        const report = got.find(({ judge }) => judge === `foreign:${name}`);
        const figures = judge_vs_majority[name];
        if (report === undefined || figures === undefined) throw new Error(`no figures of ${name}`);
        expectAgreement(report.agreement, figures.cohen, { sameLevels: true });
        expect(reordered(report.agreement, ['tie', 'A', 'B'])).toEqual(
          Golden.parse(figures.cohen).table_rows_a_cols_b,
        );
        expect(report.unscored.invalid ?? 0).toBe(figures.unparsed.length);
        expect(report.n_gold).toBe(999);
        for (const { annotator, kappa } of report.per_annotator)
          close(kappa.value, figures.per_annotator_kappa[annotator]);
      });

      it('people against each other', () => {
        const { human_pairs, human_fleiss, human_krippendorff_nominal } = wanted.parse(golden('pandalm'));
        const humans = got[0]?.humans;
        for (const { one, other, agreement } of humans?.pairs ?? [])
          expectAgreement(agreement, human_pairs[`${one}~${other}`], { sameLevels: true });
        expect(humans?.pairs).toHaveLength(3);
        close(humans?.fleiss?.value, human_fleiss.fleiss_kappa);
        close(humans?.alpha?.value, human_krippendorff_nominal.alpha);
      });

      it('importing it again changes nothing', async () => {
        const file = join(folder ?? '', 'pandalm/pandalm.jsonl');
        const said = await run(
          'import',
          file,
          '--dataset',
          'pandalm',
          '--kind',
          'pair',
          '--rubric',
          'pandalm@1',
          '--map',
          'input={instruction}\\n{input}',
          '--map',
          'labels=human',
          '--map',
          'verdicts=judges',
          '--json',
        );
        expect(JSON.parse(said)).toMatchObject({ added: 0, known: 999, labels: 0, verdicts: 0, rejected: 0 });
      }, 60_000);
    });

    describe('llmbar: both orders of each pair', () => {
      const Combo = z.object({
        both_orders: z.object({
          n: z.number(),
          unparsed_order1: z.number(),
          unparsed_order2: z.number(),
          both_parsed: z.number(),
          position_conflict_count: z.number(),
          position_conflict_rate_of_both_parsed: z.number().nullable(),
          position_conflict_wilson95: z.tuple([z.number(), z.number()]).nullable(),
          conflict_slot1_both: z.number(),
          conflict_slot2_both: z.number(),
          conflict_direction_sign_test_p: z.number().nullable(),
        }),
        kappa_gold_order_ab: z.unknown(),
        kappa_gold_order_ba: z.unknown(),
        kappa_between_orders: z.unknown(),
      });
      const combos = z.object({ combos: z.record(z.string(), Combo) });
      beforeAll(async () => {
        const file = join(folder ?? '', 'llmbar/llmbar.jsonl');
        await run(
          'import',
          file,
          '--dataset',
          'llmbar',
          '--kind',
          'pair',
          '--scale',
          'pairwise',
          '--criterion',
          'better',
          '--map',
          'label.gold=gold',
          '--map',
          'verdicts=judges',
        );
      }, 120_000);

      it.each([
        'LLMBar/Natural',
        'LLMBar/Adversarial/Neighbor',
        'LLMBar/Adversarial/GPTInst',
        'LLMBar/Adversarial/GPTOut',
        'LLMBar/Adversarial/Manual',
      ])(
        'every judge on %s: conflict rate and the true kappa',
        async (subset) => {
          const wanted = combos.parse(golden('llmbar')).combos;
          const got = await reports('llmbar', '--where', `subset=${subset}`);
          const named = Object.keys(wanted).filter((name) => name.startsWith(`${subset} :: `));
          expect(got.length).toBe(named.length);
          for (const report of got) {
            const combo = wanted[`${subset} :: ${report.judge.slice('foreign:'.length)}`];
            if (combo === undefined || report.orders === null)
              throw new Error(`no figures of ${report.judge}`);
            const { both_orders: orders } = combo;
            expect(report.orders.n).toBe(orders.both_parsed);
            expect(report.orders.unreadable).toEqual({
              ab: orders.unparsed_order1,
              ba: orders.unparsed_order2,
            });
            expect(report.orders.conflict).toBe(orders.position_conflict_count);
            expect([report.orders.first_both, report.orders.second_both]).toEqual([
              orders.conflict_slot1_both,
              orders.conflict_slot2_both,
            ]);
            close(report.orders.conflict_rate.value, orders.position_conflict_rate_of_both_parsed);
            close(report.orders.conflict_rate.ci?.low, orders.position_conflict_wilson95?.[0]);
            close(
              report.orders.p,
              orders.conflict_slot1_both + orders.conflict_slot2_both === 0
                ? null
                : orders.conflict_direction_sign_test_p,
            );
            expectAgreement(report.orders.gold_ab, combo.kappa_gold_order_ab, { sameLevels: false });
            expectAgreement(report.orders.gold_ba, combo.kappa_gold_order_ba, { sameLevels: false });
            expectAgreement(report.orders.between_orders, combo.kappa_between_orders, { sameLevels: false });
          }
        },
        120_000,
      );

      it('is not the published, defective kappa', async () => {
        const [report] = await reports(
          'llmbar',
          '--where',
          'subset=LLMBar/Natural',
          '--judge',
          'foreign:GPT-4/Vanilla_NoRules',
        );
        close(report?.orders?.gold_ab.kappa.value, 0.836867862969005);
      }, 60_000);
    });

    describe('alttest summeval: 1,600 summaries, four ordinal criteria, three experts, six judges', () => {
      const Figures = z.object({
        fleiss: z.object({ fleiss_kappa: z.number() }),
        krippendorff: z.object({ ordinal: z.object({ alpha: z.number() }) }),
        human_pairs: z.record(
          z.string(),
          Golden.extend({
            kappa_linear: z.number(),
            kappa_quadratic: z.number(),
            kappa_quadratic_se_fce: z.number(),
          }),
        ),
        judges: z.record(
          z.string(),
          z.object({
            vs_human_median: Golden.extend({
              kappa_linear: z.number().nullable(),
              kappa_quadratic: z.number().nullable(),
              kappa_quadratic_se_fce: z.number().nullable(),
              kappa_quadratic_ci95_statsmodels: z.tuple([z.number(), z.number()]).nullable(),
            }),
          }),
        ),
      });
      const sets = z.object({
        sets: z.object({ summeval: z.object({ groups: z.record(z.string(), z.unknown()) }) }),
      });
      beforeAll(async () => {
        const file = join(folder ?? '', 'alttest/summeval.jsonl');
        const criteria = 'coherence,consistency,fluency,relevance';
        await run(
          'import',
          file,
          '--dataset',
          'summeval',
          '--scale',
          'ordinal',
          '--levels',
          '1..5',
          '--criterion',
          criteria,
          '--map',
          'id=',
          '--map',
          'input=doc',
          '--map',
          'output=system',
          '--map',
          'criterion=dimension',
          '--map',
          'labels=humans',
          '--map',
          'verdicts=judges',
        );
      }, 180_000);

      it.each(['coherence', 'consistency', 'fluency', 'relevance'])(
        '%s',
        async (criterion) => {
          const figures = Figures.parse(sets.parse(golden('alttest')).sets.summeval.groups[criterion]);
          const got = await reports('summeval', '--criterion', criterion);
          expect(got.map(({ judge }) => judge.slice('foreign:'.length)).sort()).toEqual(
            Object.keys(figures.judges).sort(),
          );
          for (const report of got) {
            const wanted = figures.judges[report.judge.slice('foreign:'.length)]?.vs_human_median;
            if (wanted === undefined) throw new Error(`no figures of ${report.judge}`);
            expectAgreement(report.agreement, wanted, { sameLevels: true });
            const of = (weights: string) =>
              report.agreement.kappas.find((kappa) => kappa.weights === weights);
            close(of('linear')?.value, wanted.kappa_linear);
            close(of('quadratic')?.value, wanted.kappa_quadratic);
            close(of('quadratic')?.se, wanted.kappa_quadratic_se_fce);
            expect(report.agreement.kappa.weights).toBe('quadratic');
          }
          const humans = got[0]?.humans;
          close(humans?.fleiss?.value, figures.fleiss.fleiss_kappa);
          close(humans?.alpha?.value, figures.krippendorff.ordinal.alpha);
          for (const { one, other, agreement } of humans?.pairs ?? [])
            close(agreement.kappa.value, figures.human_pairs[`${one}~${other}`]?.kappa_quadratic);
        },
        120_000,
      );
    });
  },
);
