import { parseArgs } from 'node:util';
import { createSimulator } from './simulator.ts';

/** Starts the simulator for a demonstration: `npx tsx test/simulator/main.ts --port 4747 --seed 7`. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4747' },
    seed: { type: 'string', default: '7' },
    latency: { type: 'string', default: '40' },
    accuracy: { type: 'string', default: '0.85' },
    'accuracy-of': { type: 'string', multiple: true, default: [] },
    'position-bias': { type: 'string', default: '0.1' },
    'verbosity-bias': { type: 'string', default: '0.05' },
    'fabricated-quotes': { type: 'string', default: '0.05' },
    refusals: { type: 'string', default: '0.01' },
    truncations: { type: 'string', default: '0.01' },
    invalid: { type: 'string', default: '0.01' },
    abstentions: { type: 'string', default: '0.02' },
    gullibility: { type: 'string', default: '0.1' },
  },
});

/** `--accuracy-of model=0.7` sets a model apart from the rest. */
const byModel = new Map(
  values['accuracy-of'].map((pair) => [pair.slice(0, pair.lastIndexOf('=')), Number(pair.split('=').at(-1))]),
);

const simulator = await createSimulator({
  port: Number(values.port),
  seed: Number(values.seed),
  latencyMs: Number(values.latency),
  temper: {
    accuracy: ({ model }) => byModel.get(model) ?? Number(values.accuracy),
    positionBias: Number(values['position-bias']),
    verbosityBias: Number(values['verbosity-bias']),
    fabricatedQuotes: Number(values['fabricated-quotes']),
    refusals: Number(values.refusals),
    truncations: Number(values.truncations),
    invalid: Number(values.invalid),
    abstentions: Number(values.abstentions),
    gullibility: Number(values.gullibility),
  },
});

console.log(`simulator on ${simulator.origin}`);
console.log(`  endpoint base_url, OPENAI_BASE_URL: ${simulator.origin}/v1`);
console.log(`  ANTHROPIC_BASE_URL:                 ${simulator.origin}`);
console.log(`  GOOGLE_GEMINI_BASE_URL:             ${simulator.origin}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void simulator.close());
