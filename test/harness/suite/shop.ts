import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SuiteReport } from '../../../core/gate.ts';
import { Suite } from '../../../core/suite.ts';
import { Task } from '../../../core/task.ts';
import type { Agent } from '../../../harness/suite/agent.ts';
import { defineTools } from '../../../harness/suite/define-tools.ts';
import type { SuiteJudges } from '../../../harness/suite/grade/judged.ts';
import type { OpenSuite } from '../../../harness/suite/open-suite.ts';
import { runSuite, type SuiteRunOptions } from '../../../harness/suite/run-suite.ts';

const State = z.strictObject({
  stock: z.record(z.string(), z.number()),
  mails: z.array(z.strictObject({ to: z.string(), text: z.string() })),
});

/** A shop with one of each: a read, a write, a risk, a fault, a tool that never answers, a tool that leaves traces. */
export const shopTools = defineTools({
  state: State,
  tools: {
    look: {
      description: 'How many are left.',
      input: z.strictObject({ item: z.string() }),
      run: ({ stock }, { item }, context) => stock[item] ?? context.fail('not_found', `no ${item}`),
    },
    sell: {
      description: 'Sells.',
      input: z.strictObject({ item: z.string(), count: z.number().int().positive() }),
      run(state, { item, count }, context) {
        const left = (state.stock[item] ?? 0) - count;
        state.stock[item] = left;
        return left < 0 ? context.fail('sold_out', `no ${item} left`) : { left };
      },
    },
    mail: {
      description: 'Sends a mail.',
      input: z.strictObject({ to: z.string(), text: z.string() }),
      run(state, mail) {
        state.mails.push(mail);
        return null;
      },
    },
    broken: {
      description: 'Out of order.',
      input: z.strictObject({}),
      run() {
        throw new Error('the fake broke');
      },
    },
    hangs: {
      description: 'Never answers.',
      input: z.strictObject({}),
      run: () => new Promise<null>(() => {}),
    },
    leave_mark: {
      description: 'Leaves a file, and says whether it was there already.',
      input: z.strictObject({}),
      run(_state, _args, { folder }) {
        const path = join(folder, 'mark');
        const was = existsSync(path);
        writeFileSync(path, 'x');
        return was;
      },
    },
  },
  events: {
    'item.sold': {
      fields: z.strictObject({ item: z.string(), count: z.number() }),
      derive: ({ before, after }) =>
        Object.entries(after.stock)
          .map(([item, left]) => ({ item, count: (before.stock[item] ?? 0) - left }))
          .filter(({ count }) => count > 0),
    },
    'mail.sent': {
      fields: z.strictObject({ to: z.string(), text: z.string(), approved: z.boolean() }),
      derive: ({ before, after, call }) =>
        after.mails
          .slice(before.mails.length)
          .map((mail) => ({ ...mail, approved: call.approval === 'granted' })),
    },
  },
  artifacts: { letter: { text: ({ mails }) => mails.at(-1)?.text ?? null } },
});

export const SEED = { stock: { cup: 3, plate: 10 }, mails: [] };

/** Judges of a suite that names none. */
export const NO_JUDGES: SuiteJudges = { standings: [], judge: async () => [] };

type TaskText = Partial<z.input<typeof Task>>;

/** A suite of the shop without files; a task without rules has to sell a cup. */
export function openShop(
  tasks: readonly TaskText[],
  settings: Partial<z.input<typeof Suite>> = {},
): OpenSuite {
  return {
    suite: Suite.parse({
      suite: 'shop',
      version: 1,
      agent: { run: 'agent.ts' },
      tools: 'tools.ts',
      trials: 1,
      high_risk: ['mail'],
      ...settings,
    }),
    tools: shopTools,
    tasks: tasks.map((task, index) => ({
      task: Task.parse({
        id: `task-${index + 1}`,
        input: 'Sell a cup.',
        seed_state: SEED,
        must: task.must_not === undefined && task.trajectory === undefined ? [{ 'item.sold': {} }] : [],
        ...task,
      }),
      file: `suites/shop/tasks/task-${index + 1}.yaml`,
      seed: SEED,
    })),
    sources: {},
  };
}

/** Runs the shop's suite with an agent that is a function. */
export function runShop(
  open: OpenSuite,
  agent: Agent,
  options: Partial<SuiteRunOptions> = {},
): Promise<SuiteReport> {
  let tokens = 0;
  return runSuite(open, {
    agent: { name: 'test', load: async () => agent },
    judges: NO_JUDGES,
    now: Date.now,
    newToken: () => `t${++tokens}`,
    ...options,
  });
}

/** The only trial of a run of one task, tried once. */
export async function tryShop(task: TaskText, agent: Agent, settings: Partial<z.input<typeof Suite>> = {}) {
  const report = await runShop(openShop([task], settings), agent);
  const [trial] = report.trials;
  if (trial === undefined) throw new Error('the run has no trial');
  return trial;
}

/** Sells one cup and says so. */
export const seller: Agent = async (_task, { tools }) => {
  await tools.call('sell', { item: 'cup', count: 1 });
  return 'Sold.';
};
