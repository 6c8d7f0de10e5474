import type { RunReport } from '../../core/run.ts';

export interface ResumeOptions {
  dataset: string;
  concurrency?: number;
  limit?: number;
  budget?: number;
  onUnknown?: string;
  batch?: boolean;
  workspace: string;
}

/** The command that goes on with a run. */
export function resumeCommand(judge: string, options: ResumeOptions): string {
  const words = ['touchstone judge run', judge, '--dataset', options.dataset];
  if (options.concurrency !== undefined) words.push('--concurrency', String(options.concurrency));
  if (options.limit !== undefined) words.push('--limit', String(options.limit));
  if (options.budget !== undefined) words.push('--budget', String(options.budget));
  if (options.onUnknown !== undefined) words.push('--on-unknown', options.onUnknown);
  if (options.batch) words.push('--batch');
  if (options.workspace !== '.') words.push('--workspace', JSON.stringify(options.workspace));
  return words.join(' ');
}

/** A budget that should do for the rest, US dollars: what the answers cost so far, for all calls, and a fifth more. */
export function enoughBudget({ calls, cost }: RunReport, now: number): number {
  const own = Math.max(1, calls.answered - calls.reused);
  const rest = ((calls.planned - calls.answered) * cost.usd) / own;
  const enough = (cost.usd + cost.in_doubt_usd + rest) * 1.2;
  return Math.ceil(Math.max(enough, now * 1.2) * 100) / 100;
}
