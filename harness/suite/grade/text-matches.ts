import { runInNewContext } from 'node:vm';

/** The longest that one pattern may search one text, milliseconds. */
const LIMIT_MS = 200;

/** A pattern that backtracks without end: the check is at fault, so the trial has no grade. */
export class TextMatchTimeout extends Error {
  constructor(pattern: string) {
    super(`the pattern /${pattern}/ took longer than ${LIMIT_MS} ms`);
    this.name = 'TextMatchTimeout';
  }
}

/** Does a text contain a match of a pattern (JavaScript syntax, unicode)? Runs apart, so that it can be cut off. */
export function textMatches(text: string, pattern: string): boolean {
  try {
    return runInNewContext('new RegExp(pattern, "u").test(text)', { pattern, text }, { timeout: LIMIT_MS });
  } catch (error) {
    if (isTimeout(error)) throw new TextMatchTimeout(pattern);
    throw error;
  }
}

/** By its code, not its class: it may come from the other context. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/** What is wrong with a pattern, or null. */
export function patternFault(pattern: string): string | null {
  try {
    new RegExp(pattern, 'u');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
