import { z } from 'zod';
import { type Judge, JudgeParams, ProviderName } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';
import { readAsset } from '../asset.ts';

const Capabilities = z.strictObject({
  providers: z.array(ProviderName),
  pattern: z.string(),
  temperature: z.boolean(),
  seed: z.boolean(),
  structured: z.boolean(),
  tool: z.boolean(),
  efforts: z.array(JudgeParams.shape.reasoning_effort.unwrap().unwrap()),
});
type Capabilities = z.infer<typeof Capabilities>;

const CapabilityTable = z.strictObject({
  as_of: z.iso.date(),
  about: z.string(),
  models: z.array(Capabilities),
});

/**
 * Checks that a judge's model takes what the judge file asks of it, before anything is paid for.
 * @throws Problem `unsupported_parameter` that names the line to change.
 */
export function checkCapabilities(judge: Judge): void {
  const found = capabilitiesOf(judge);
  if (found === null) return;
  const { temperature, seed, reasoning_effort: effort } = judge.params;
  if (temperature !== null && !found.temperature) refuse(judge, 'params.temperature', 'null');
  if (seed !== null && !found.seed) refuse(judge, 'params.seed', 'null');
  if (effort !== null && !found.efforts.includes(effort))
    refuse(judge, 'params.reasoning_effort', ['null', ...found.efforts].join(' or '));
  if (judge.output === 'structured' && !found.structured) refuse(judge, 'output: structured', 'tool or text');
  if (judge.output === 'tool' && !found.tool) refuse(judge, 'output: tool', 'structured or text');
}

function capabilitiesOf(judge: Judge): Capabilities | null {
  const { models } = CapabilityTable.parse(JSON.parse(readAsset('harness/provider/models.json')));
  const matches = (row: Capabilities) =>
    row.providers.includes(judge.provider) && new RegExp(row.pattern).test(judge.model);
  return models.find(matches) ?? null;
}

function refuse(judge: Judge, what: string, instead: string): never {
  throw new Problem(
    'unsupported_parameter',
    `${judge.model} does not take ${what}, which judge ${judge.judge} sets`,
    {
      remedy: `Set ${what.split(':')[0]} to ${instead} in the next version of the judge.`,
    },
  );
}
