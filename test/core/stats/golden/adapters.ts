import type { Adapter } from './adapter.ts';
import { agreementAdapters } from './adapters-agreement.ts';
import { biasAdapters } from './adapters-bias.ts';
import { bootstrapAdapters } from './adapters-bootstrap.ts';
import { calibrationAdapters } from './adapters-calibration.ts';
import { correctionAdapters } from './adapters-correction.ts';
import { primitiveAdapters } from './adapters-primitive.ts';
import { suiteAdapters } from './adapters-suite.ts';

/**
 * Golden function names to this project's functions. A key of `expected` that starts with `rBoot` documents another
 * program's rule and is not matched.
 */
export const adapters: Record<string, Adapter> = {
  ...primitiveAdapters,
  ...agreementAdapters,
  ...suiteAdapters,
  ...biasAdapters,
  ...bootstrapAdapters,
  ...correctionAdapters,
  ...calibrationAdapters,
};
