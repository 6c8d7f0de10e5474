/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Shorter strings are no secrets, and would blot out ordinary words. */
const SHORTEST = 8;
const BLOT = '[key]';
/** What keys of the known providers look like, whoever they belong to. */
const KEY_SHAPES = /\bsk-[A-Za-z0-9_*-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/g;

/**
 * Makes a redactor that knows live keys: whole, cut short after their first 8 characters, URL-encoded, and base64 at
 * any alignment.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const live = secrets.filter((secret) => secret.length >= SHORTEST);
  const marks = live.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    ...base64Cores(secret),
    secret.slice(0, SHORTEST),
  ]);
  const known = marks.filter((mark) => mark.length >= SHORTEST);
  const pattern = new RegExp(
    known.map((mark) => `${literal(mark)}[A-Za-z0-9_*=+/%-]*`).join('|') || '(?!)',
    'g',
  );
  return (text) => text.replace(pattern, BLOT).replace(KEY_SHAPES, BLOT);
}

/** The characters that base64 gives a secret whatever stands around it, at each of its three alignments. */
function base64Cores(secret: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(' '.repeat(shift) + secret, 'utf8').toString('base64');
    return encoded.slice(shift === 0 ? 0 : shift + 1).replace(/.{0,3}=*$/, '');
  });
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
