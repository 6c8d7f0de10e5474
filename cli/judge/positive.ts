import { InvalidArgumentError } from 'commander';

/** A whole number from 1, as an option gives it. */
export function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number from 1');
  return value;
}
