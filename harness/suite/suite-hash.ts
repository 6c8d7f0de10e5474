import type { JudgeStanding } from '../../core/gate.ts';
import { contentHash } from '../../core/hash.ts';
import { nativeDigest } from '../digest.ts';
import type { OpenSuite } from './open-suite.ts';

/**
 * The hash over everything that a trial's grade depends on: settings, tasks, seed states, the tools' source, and each
 * judge with its calibration. Left out is what changes no grade: the agents, the title, the gate, the number of trials.
 */
export function suiteHash(open: OpenSuite, judges: readonly JudgeStanding[]): string {
  const { agent: _, agents: __, title: ___, gate: ____, trials: _____, ...settings } = open.suite;
  return contentHash(
    {
      suite: settings,
      tasks: Object.fromEntries(open.tasks.map(({ task, seed }) => [task.id, { task, seed }])),
      sources: open.sources,
      judges: Object.fromEntries(
        judges.map(({ judge, judge_hash, calibration_hash }) => [judge, { judge_hash, calibration_hash }]),
      ),
    },
    nativeDigest,
  );
}
