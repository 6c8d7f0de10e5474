import { type Judge, judgeFamily, judgeRef } from '../../core/judge.ts';
import { Problem } from '../../core/problem.ts';

/**
 * Refuses a panel where a judge is needed that is called itself.
 * @param what what can't be done with it, as in "it can't be …".
 * @throws Problem `is_panel`
 */
export function refusePanel(judge: Judge, what: string): void {
  if (judge.panel === undefined) return;
  throw new Problem('is_panel', `${judgeRef(judge)} is a panel, and a panel can't be ${what}`, {
    remedy: `Take one of its members: ${judge.panel.join(', ')}. How far the panel agrees with people stands in: touchstone agreement.`,
    status: 409,
  });
}

/** What is to be said of a panel that is in order: members of one family make the same mistakes. */
export function panelWarnings(panel: Judge, members: readonly Judge[]): string[] {
  const families = new Set(members.map(judgeFamily));
  const [family] = families;
  if (family === undefined || families.size > 1) return [];
  return [
    `${judgeRef(panel)}: all members are of one family (${family}), which tend to err alike; take members of several [one_family]`,
  ];
}
