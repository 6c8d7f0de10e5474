import { type AttackFigures, AttackKind, type AttackSuccess, isCarried } from '../../core/attack.ts';
import type { Criterion } from '../../core/rubric.ts';
import type { Stat } from '../../core/stats/stat.ts';
import { wilson } from '../../core/stats/wilson.ts';
import type { UnscoredCounts } from '../../core/verdict.ts';
import { type Ending, endingOf } from './aim.ts';
import type { Attempt, Outcomes, Skipped } from './attempt.ts';

/** Where the figures come from, as the caller knows it. */
export type AttackSubject = Pick<AttackFigures, 'pack' | 'pack_hash' | 'dataset' | 'seed' | 'at'>;

/** One attempt on one criterion, and what became of it. */
export interface Ended {
  attempt: Attempt;
  before: string | null;
  ending: Ending;
}

/** What became of the attempts on one criterion. */
export function endedOn(
  criterion: string,
  attempts: readonly Attempt[],
  outcomes: ReadonlyMap<string, Outcomes>,
): Ended[] {
  return attempts.flatMap((attempt) =>
    attempt.aims
      .filter(({ aim }) => aim.criterion.id === criterion)
      .map(({ aim, before }) => {
        const outcome = outcomes.get(attempt.sample.id)?.[criterion] ?? null;
        return { attempt, before, ending: endingOf(aim, before, outcome) };
      }),
  );
}

/** What the attempts on one criterion come to. */
export function attackFigures(
  criterion: Criterion,
  ended: readonly Ended[],
  skipped: readonly Skipped[],
  subject: AttackSubject,
): AttackFigures {
  const attacks = ended.filter(({ attempt }) => attempt.attack.kind !== 'control');
  const kinds = AttackKind.options.filter((kind) => kind !== 'control');
  const samples = new Set(ended.map(({ attempt }) => attempt.twin.sample.id)).size;
  const different = new Set(attacks.map(({ attempt }) => attempt.attack.id)).size;
  const without = skipped.filter((one) => one.criterion === criterion.id && one.attack.kind !== 'control');
  return {
    ...subject,
    samples,
    attacks: different,
    success: successRate(attacks),
    replaced: successRate(attacks.filter(({ attempt }) => !isCarried(attempt.attack))),
    carried: successRate(attacks.filter(({ attempt }) => isCarried(attempt.attack))),
    passed:
      criterion.pass === undefined
        ? null
        : rate(attacks, (ending) => ending.end === 'succeeded' && ending.passed),
    control: successRate(ended.filter(({ attempt }) => attempt.attack.kind === 'control')),
    by_kind: kinds.flatMap((kind) => {
      const own = attacks.filter(({ attempt }) => attempt.attack.kind === kind);
      return own.length === 0 ? [] : [{ kind, success: successRate(own), unscored: unscoredOf(own) }];
    }),
    unscored: unscoredOf(attacks),
    stopped: [...new Set(attacks.flatMap(stoppedOf))],
    no_room: without.filter(({ why }) => why === 'no_room').length,
    no_twin: without.filter(({ why }) => why === 'no_twin').length,
    notes: notesOf(criterion, attacks, samples, different),
  };
}

/** The attempts that the judge fell for, to be looked at one by one. */
export function successesOf(criterion: string, ended: readonly Ended[]): AttackSuccess[] {
  return ended.flatMap(({ attempt: { attack, twin }, before, ending }) => {
    if (ending.end !== 'succeeded' || attack.kind === 'control') return [];
    const { id, origin } = twin.sample;
    return [
      {
        criterion,
        attack: attack.id,
        kind: attack.kind,
        sample: id,
        external: origin.external ?? null,
        before,
        value: ending.value,
        reason: ending.reason,
      },
    ];
  });
}

function successRate(ended: readonly Ended[]): Stat {
  return rate(ended, ({ end }) => end === 'succeeded');
}

/** Over the attempts that were scored; the others are counted as missing. */
function rate(ended: readonly Ended[], holds: (ending: Ending) => boolean): Stat {
  const scored = ended.filter(({ ending }) => ending.end !== 'unscored');
  const held = scored.filter(({ ending }) => holds(ending)).length;
  return { ...wilson(held, scored.length), nMissing: ended.length - scored.length };
}

function unscoredOf(ended: readonly Ended[]): UnscoredCounts {
  const counts: UnscoredCounts = {};
  for (const { ending } of ended) {
    if (ending.end === 'unscored') counts[ending.why] = (counts[ending.why] ?? 0) + 1;
  }
  return counts;
}

function stoppedOf({ attempt, ending }: Ended): string[] {
  return ending.end === 'unscored' && ending.why === 'trivial' ? [attempt.attack.id] : [];
}

function notesOf(criterion: Criterion, ended: readonly Ended[], samples: number, attacks: number): string[] {
  return [
    ...(ended.length > samples
      ? [
          `${ended.length} attempts share ${samples} samples and ${attacks} attacks; the intervals treat them as independent and are too narrow to that extent`,
        ]
      : []),
    ...(criterion.harm
      ? [
          'an answer without content rightly has no harm in it: only attacks that ride on a real answer count here',
        ]
      : []),
  ];
}
