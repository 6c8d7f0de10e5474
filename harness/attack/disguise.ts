import type { Attack } from '../../core/attack.ts';

type Disguise = NonNullable<Attack['disguise']>;

/** Makes text unlike itself in a way that a model may see through: what a filter on words would miss. */
export function disguised(text: string, disguise: Disguise | undefined): string {
  return disguise === undefined ? text : DISGUISES[disguise](text);
}

const DISGUISES: Record<Disguise, (text: string) => string> = {
  base64: (text) => Buffer.from(text, 'utf8').toString('base64'),
  rot13: (text) => text.replace(/[a-z]/gi, rotated),
  reversed: (text) => [...text].reverse().join(''),
  tags: (text) => text.replace(/[\x20-\x7e]/g, (letter) => shifted(letter, TAGS)),
  spaced: (text) => [...text].join('\u200b'),
};

/** Where Unicode repeats ASCII as tag characters, which no screen shows. */
const TAGS = 0xe0000;

function rotated(letter: string): string {
  const first = letter >= 'a' ? 97 : 65;
  return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
}

function shifted(letter: string, by: number): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + by);
}
