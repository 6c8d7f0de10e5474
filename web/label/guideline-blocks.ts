/** A stretch of one kind of writing. */
export interface Stretch {
  kind: 'plain' | 'strong' | 'emphasis' | 'code';
  text: string;
}

/** A part of a guideline text: a heading, a paragraph or a list. */
export type GuidelineBlock =
  | { kind: 'heading' | 'paragraph'; text: Stretch[] }
  | { kind: 'list'; ordered: boolean; items: Stretch[][] };

/**
 * Reads the little Markdown that guidelines are written in: headings, paragraphs, lists, strong, emphasis and code.
 * All else, links and HTML too, stays the text that it is.
 */
export function guidelineBlocks(text: string): GuidelineBlock[] {
  const blocks: GuidelineBlock[] = [];
  for (const part of text.trim().split(/\n\s*\n|\n(?=#{1,6} )|(?<=^#{1,6} .*)\n/m)) {
    const heading = /^#{1,6} (.*)$/s.exec(part.trim());
    const items = itemsOf(part);
    if (heading !== null) blocks.push({ kind: 'heading', text: stretches(heading[1] ?? '') });
    else if (items !== null) blocks.push(items);
    else if (part.trim() !== '') blocks.push({ kind: 'paragraph', text: stretches(joined(part)) });
  }
  return blocks;
}

function itemsOf(part: string): GuidelineBlock | null {
  const marker = /^(?:[-*]|\d+\.) +/;
  const lines = part.split('\n').map((line) => line.trim());
  if (!marker.test(lines[0] ?? '')) return null;
  const items: string[] = [];
  for (const line of lines) {
    if (marker.test(line)) items.push(line.replace(marker, ''));
    else items.push(`${items.pop() ?? ''} ${line}`);
  }
  return { kind: 'list', ordered: /^\d/.test(lines[0] ?? ''), items: items.map(stretches) };
}

function joined(part: string): string {
  return part.trim().replaceAll(/\s*\n\s*/g, ' ');
}

function stretches(text: string): Stretch[] {
  const found: Stretch[] = [];
  let at = 0;
  for (const match of text.matchAll(/\*\*(?<strong>[^*]+)\*\*|\*(?<emphasis>[^*]+)\*|`(?<code>[^`]+)`/g)) {
    if (match.index > at) found.push({ kind: 'plain', text: text.slice(at, match.index) });
    const { strong, emphasis, code } = match.groups ?? {};
    if (strong !== undefined) found.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) found.push({ kind: 'emphasis', text: emphasis });
    else if (code !== undefined) found.push({ kind: 'code', text: code });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ kind: 'plain', text: text.slice(at) });
  return found;
}
