import { alarmRows } from './alarms.ts';
import { coverageRows } from './coverage.ts';
import { failureRows } from './failures.ts';
import type { Row } from './figure.ts';
import { powerRows } from './power.ts';

/** The four parts of the proof, each at a number of replicates; slow rows take a quarter of it. */
export const PARTS: Record<string, (replicates: number) => Row[]> = {
  'coverage of the default intervals at 95 %': coverageRows,
  'coverage of the methods that are not the default': failureRows,
  'alarms where nothing is wrong': alarmRows,
  'alarms where something is': powerRows,
};

/** Replicates of the version that every test run has, and of the full one. */
export const SHORT = 800;
export const FULL = 8000;
