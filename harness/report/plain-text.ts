const ESC = '\\u001b';

/** Escape sequences of terminals: CSI, OSC up to BEL or ST, and the two-character ones. */
const SEQUENCES = new RegExp(
  `${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}\\][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)?|${ESC}[ -~]`,
  'g',
);

/** What steers a terminal or reorders text: control characters but tab and newline, bidirectional marks. */
const STEERING = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** A stranger's text, safe to print: nothing in it moves the cursor, colours, rings or turns the line around. */
export function plainText(text: string): string {
  return text.replace(SEQUENCES, '').replace(STEERING, '');
}

/** The same in one line, cut to `most` characters with an ellipsis. */
export function plainLine(text: string, most = 240): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}
