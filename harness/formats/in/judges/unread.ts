import type { KeyPath, Loss } from '../../foreign-judge.ts';

/** A loss for each key of a stranger's object that nothing here reads. */
export function unread(value: object, known: readonly string[], at: KeyPath): Loss[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({ at: [...at, key], why: 'nothing of ours reads this key' }));
}
