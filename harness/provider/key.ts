import { Problem } from '../../core/problem.ts';

/**
 * Reads a key from the environment, trimmed.
 * @throws Problem `no_key` where it is missing, `bad_key` where it holds what no header can carry; never shows it.
 */
export function readKey(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const key = env[name]?.trim() ?? '';
  if (key === '') {
    throw new Problem('no_key', `${name} is not set`, {
      remedy: `Set the environment variable ${name} to the provider's key and run again.`,
    });
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Problem('bad_key', `${name} holds characters that a key can't hold`, {
      remedy: `Set ${name} again: one line of printable ASCII, without spaces or quotes.`,
    });
  }
  return key;
}
