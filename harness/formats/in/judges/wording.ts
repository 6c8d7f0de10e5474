import type { EvidenceSource } from '../../../../core/rubric.ts';
import type { KeyPath, Loss } from '../../foreign-judge.ts';
import { usualField } from '../mapping.ts';

/** How a tool writes a placeholder: `{{name}}`, or `{name}` as Python does. */
const SYNTAX = {
  mustache: /\{\{\{?\s*([^{}]*?)\s*\}?\}\}/g,
  python: /\{\{|\}\}|\{([\w.]+)\}/g,
};

export interface Wording {
  text: string;
  losses: Loss[];
  evidence: EvidenceSource[];
}

/**
 * Rewrites a foreign prompt for readers who see our fields: each placeholder becomes the field's name in brackets.
 * @param fields what the tool's own placeholders stand for; null for those that stand for nothing to show.
 */
export function inOurWords(
  text: string,
  at: KeyPath,
  syntax: keyof typeof SYNTAX,
  fields: Readonly<Record<string, EvidenceSource | null>>,
): Wording {
  const losses: Loss[] = [];
  const used = new Set<EvidenceSource>();
  const unknown = new Set<string>();
  const reworded = text.replace(SYNTAX[syntax], (whole, name: string | undefined) => {
    if (name === undefined) return whole.slice(1);
    const known = Object.hasOwn(fields, name) ? fields[name] : usualField(lastName(name));
    if (known === null && Object.hasOwn(fields, name)) return '';
    if (known === undefined || known === null) {
      unknown.add(name);
      return `(${name})`;
    }
    used.add(known);
    return `(the ${known})`;
  });
  for (const name of unknown) {
    losses.push({
      at,
      why: `the placeholder ${name} has no field of its own here: put what it showed into the samples' context when you import them`,
    });
  }
  return {
    text: reworded.trim(),
    losses,
    evidence: used.has('trace') && !used.has('output') ? ['trace'] : ['output'],
  };
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
