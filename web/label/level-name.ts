import type { Level } from '../../core/scale.ts';

/** A level as a list of levels shows it: its value, and its name where that says more. */
export function levelName({ value, name }: Level): string {
  if (name === undefined) return value;
  return name.toLowerCase() === value.toLowerCase() ? name : `${value} ${name}`;
}
