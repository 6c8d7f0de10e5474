import { Problem } from '../../core/problem.ts';

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Fills `{{name}}` in one pass: what is filled in is never looked at again, so that a placeholder inside a sample
 * stays as it is.
 * @throws Problem `unknown_placeholder` for a name that has no value.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (_, inner: string) => {
    const name = inner.trim();
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined) return value;
    throw new Problem('unknown_placeholder', `the prompt asks for {{${name}}}, which does not exist`, {
      remedy: `Use one of ${Object.keys(values)
        .map((known) => `{{${known}}}`)
        .join(', ')}.`,
    });
  });
}

/** The names that a template asks for. */
export function placeholders(template: string): Set<string> {
  return new Set([...template.matchAll(PLACEHOLDER)].map(([, inner]) => (inner ?? '').trim()));
}
