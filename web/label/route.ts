import type { QueueItem } from '../api.ts';

/** The states that a person comes back to of itself. */
const OPEN: readonly QueueItem['state'][] = ['todo', 'partial'];

/**
 * The item to go on with: the next open one after `from`, else the first open one before it. In a round over what was
 * skipped, the next skipped one after `from`.
 * @returns its index, or null at the end.
 */
export function nextOpen(
  states: readonly QueueItem['state'][],
  from: number,
  round: 'open' | 'skipped',
): number | null {
  const wanted = (state: QueueItem['state']) =>
    round === 'skipped' ? state === 'skipped' : OPEN.includes(state);
  const after = states.findIndex((state, index) => index > from && wanted(state));
  if (after !== -1) return after;
  if (round === 'skipped') return null;
  const before = states.findIndex((state, index) => index < from && wanted(state));
  return before === -1 ? null : before;
}

/** The items that will be wanted next: up to `count` open ones in order, and the neighbour that the arrow key goes to. */
export function upcoming(states: readonly QueueItem['state'][], from: number, count: number): number[] {
  const ahead: number[] = [];
  for (let at: number | null = from; ahead.length < count; ) {
    at = nextOpen(states, at, 'open');
    if (at === null || at === from || ahead.includes(at)) break;
    ahead.push(at);
  }
  const neighbour = from + 1;
  if (neighbour < states.length && !ahead.includes(neighbour)) ahead.push(neighbour);
  return ahead;
}
