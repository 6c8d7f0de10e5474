import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { Calibration } from '../core/calibration.ts';
import { Judge } from '../core/judge.ts';
import { LabelSetHeader, LabelSetItem } from '../core/label-set.ts';
import { Rubric } from '../core/rubric.ts';
import { Suite } from '../core/suite.ts';
import { Task } from '../core/task.ts';
import { WorkspaceConfig } from '../core/workspace.ts';
import { writeFileWhole } from '../harness/workspace/write-file.ts';

/* Writes schemas/*.schema.json from the zod schemas, for editors; --check only says whether they are current. */

const SCHEMAS: Record<string, z.ZodType> = {
  touchstone: WorkspaceConfig,
  rubric: Rubric,
  judge: Judge,
  calibration: Calibration,
  'label-set-header': LabelSetHeader,
  'label-set-item': LabelSetItem,
  suite: Suite,
  task: Task,
};

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const [name, schema] of Object.entries(SCHEMAS)) {
  const path = `schemas/${name}.schema.json`;
  const text = `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), null, 2)}\n`;
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (check) stale.push(path);
  else writeFileWhole(path, text);
}
if (stale.length > 0) {
  console.error(`not current: ${stale.join(', ')}; run npm run schemas`);
  process.exitCode = 1;
}
