/** A suite of one task that can be opened and run: a counter that goes up. */
export const COUNTER = {
  'suites/counter/suite.yaml': `suite: counter
version: 1
agent: {run: agent.ts}
agents: {idle: idle.js}
trials: 2
tools: tools.ts
`,
  'suites/counter/tools.ts': `import { z } from 'zod';
import { defineTools } from 'touchstone/harness';
import { step } from './step.ts';

export default defineTools({
  state: z.strictObject({ count: z.number(), label: z.string().default('none') }),
  tools: {
    add: {
      description: 'Counts.',
      input: z.strictObject({ by: z.number().int() }),
      run(state, { by }) {
        state.count += by * step;
        return state.count;
      },
    },
  },
  events: {
    'counter.changed': {
      fields: z.strictObject({ by: z.number(), direction: z.enum(['up', 'down']) }),
      derive: ({ before, after }) => {
        const by = after.count - before.count;
        return by === 0 ? [] : [{ by, direction: by > 0 ? ('up' as const) : ('down' as const) }];
      },
    },
  },
  artifacts: { note: { text: (state) => \`count \${state.count}\`, context: () => 'the counter' } },
});
`,
  'suites/counter/step.ts': 'export const step = 1;\n',
  'suites/counter/agent.ts': `let uses = 0;
export default async function agent(task, { tools }) {
  uses += 1;
  await tools.call('add', { by: uses });
  return 'Counted.';
}
`,
  'suites/counter/idle.js': 'export default async () => {};\n',
  'suites/counter/fixtures/zero.json': '{"count": 0}\n',
  'suites/counter/tasks/up.yaml': `id: up
input: Count up.
seed_state: fixtures/zero.json
must:
  - counter.changed: {by: 1, direction: up}
`,
};
