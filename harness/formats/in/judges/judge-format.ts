import type { ForeignJudge } from '../../foreign-judge.ts';
import type { JudgeSource } from './source.ts';

/** One foreign format: knows its files by their shape and turns them into our words. Pure: reads nothing but the source. */
export interface JudgeFormat {
  /** As `--format` names it. */
  name: string;
  sniff: (source: JudgeSource) => boolean;
  /** @throws Problem that names line, column, field and what was expected. */
  read: (source: JudgeSource) => ForeignJudge[];
}

/** Is a value an object with all of these keys? */
export function hasKeys(value: unknown, ...keys: string[]): value is Record<string, unknown> {
  return isRecord(value) && keys.every((key) => Object.hasOwn(value, key));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
