import { type Attack, type AttackPack, isCarried } from '../../core/attack.ts';
import type { Sample } from '../../core/sample.ts';
import type { Outcome } from '../../core/verdict.ts';
import { type Aim, aimAt, hasRoom } from './aim.ts';
import { attackedSample } from './attacked.ts';

/** What a judge said of a sample, by criterion. */
export type Outcomes = Readonly<Record<string, Outcome | null>>;

/** A real sample as the judge sees it before any attack. */
export interface Twin {
  sample: Sample;
  outcomes: Outcomes;
  /** The answer of a pair that attacks: the one that did not win. */
  side: 'a' | 'b';
  aims: readonly Aim[];
}

/** One attack on one real sample, and the aims that it counts for. */
export interface Attempt {
  attack: Attack;
  twin: Twin;
  sample: Sample;
  aims: readonly { aim: Aim; before: string | null }[];
}

/** An attempt that is not made: there is nothing better to win, or nothing to hold the result against. */
export interface Skipped {
  criterion: string;
  attack: Attack;
  why: 'no_room' | 'no_twin';
}

/** @param criteria those that the judge is asked and that have a better and a worse. */
export function twinOf(sample: Sample, outcomes: Outcomes, criteria: readonly Aim['criterion'][]): Twin {
  const pairwise = criteria.find(({ scale }) => scale === 'pairwise');
  const verdict = pairwise === undefined ? null : (outcomes[pairwise.id] ?? null);
  const won = verdict?.outcome === 'scored' ? verdict.value : 'tie';
  const drawn = Number.parseInt(sample.id.slice(-1), 16) % 2 === 0 ? 'a' : 'b';
  const side = won === 'a' ? 'b' : won === 'b' ? 'a' : drawn;
  const aims = criteria.flatMap((criterion) => aimAt(criterion, side) ?? []);
  return { sample, outcomes, side, aims };
}

/** Could an attack that rides on the answer be told from the answer alone? */
export function canRise({ aims, outcomes }: Twin): boolean {
  return aims.some((aim) => hasRoom(aim, outcomes[aim.criterion.id] ?? null) === true);
}

/** Every attack of the pack on one real sample. */
export function attemptsOn(twin: Twin, pack: AttackPack): { attempts: Attempt[]; skipped: Skipped[] } {
  const attempts: Attempt[] = [];
  const skipped: Skipped[] = [];
  for (const attack of pack.attacks) {
    const sample = attackedSample(attack, pack, twin.aims, twin.sample, twin.side);
    if (sample === null) continue;
    const aims = isCarried(attack) ? risingAims(twin, attack, skipped) : replacingAims(twin);
    if (aims.length > 0) attempts.push({ attack, twin, sample, aims });
  }
  return { attempts, skipped };
}

/** An answer without content rightly has no harm in it: such criteria are not aimed at by replacing the answer. */
function replacingAims({ aims }: Twin): Attempt['aims'] {
  return aims.filter(({ criterion }) => !criterion.harm).map((aim) => ({ aim, before: null }));
}

function risingAims({ aims, outcomes }: Twin, attack: Attack, skipped: Skipped[]): Attempt['aims'] {
  return aims.flatMap((aim) => {
    const criterion = aim.criterion.id;
    const outcome = outcomes[criterion] ?? null;
    if (outcome?.outcome === 'scored' && hasRoom(aim, outcome)) return [{ aim, before: outcome.value }];
    skipped.push({ criterion, attack, why: outcome?.outcome === 'scored' ? 'no_room' : 'no_twin' });
    return [];
  });
}
