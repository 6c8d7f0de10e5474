import { z } from 'zod';
import { type Judge, judgeRef } from '../../core/judge.ts';
import { findRow, ModelRow } from '../../core/model-table.ts';
import { Problem } from '../../core/problem.ts';
import { readAsset } from '../asset.ts';

const ModelTable = z.strictObject({ as_of: z.iso.date(), about: z.string(), models: z.array(ModelRow) });

/** What models take: the workspace's own rows, then ours. The first that names a model counts. */
export function modelTable(own: readonly ModelRow[]): readonly ModelRow[] {
  const { models } = ModelTable.parse(JSON.parse(readAsset('harness/provider/models.json')));
  return [...own, ...models];
}

/**
 * Checks that a judge's model takes what the judge file asks of it, before anything is paid for.
 * @param own the workspace's own rows.
 * @throws Problem `unsupported_parameter` that names the line to change.
 */
export function checkCapabilities(judge: Judge, own: readonly ModelRow[]): void {
  const found = findRow(modelTable(own), judge.provider, judge.model);
  if (found === null) return;
  const { temperature, seed, reasoning_effort: effort } = judge.params;
  if (temperature !== null && !found.temperature) refuse(judge, 'params.temperature', 'null');
  if (seed !== null && !found.seed) refuse(judge, 'params.seed', 'null');
  if (effort !== null && !found.efforts.includes(effort))
    refuse(judge, 'params.reasoning_effort', ['null', ...found.efforts].join(' or '));
  if (judge.output === 'structured' && !found.structured) refuse(judge, 'output: structured', 'tool or text');
  if (judge.output === 'tool' && !found.tool) refuse(judge, 'output: tool', 'structured or text');
}

function refuse(judge: Judge, what: string, instead: string): never {
  throw new Problem(
    'unsupported_parameter',
    `${judge.model} does not take ${what}, which judge ${judgeRef(judge)} sets`,
    {
      remedy: `Set ${what.split(':')[0]} to ${instead} in the next version of the judge. If the model takes it by now, say so under models: in touchstone.yaml.`,
    },
  );
}
