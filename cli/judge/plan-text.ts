import type { RunPlan } from '../../core/run.ts';
import { duration } from './progress-text.ts';

/** What a run would do, lines for a terminal. */
export function planText(judge: string, dataset: string, plan: RunPlan): string {
  const { calls, tokens, cost, seconds, samples, basis } = plan;
  const again = calls.unheard > 0 ? `, ${calls.unheard} of them sent before and never heard of` : '';
  const output = tokens.output === null ? 'output not known yet' : `about ${tokens.output} of output`;
  return [
    `${judge} over ${dataset}: ${calls.planned} calls about ${samples} samples; nothing was sent`,
    `  ${calls.answered} answered before, ${calls.trivial} settled without a call, ${calls.to_send} to send${again}`,
    `  about ${tokens.input} tokens of input, ${output}`,
    `  cost: ${dollars('about', cost.about_usd)}, ${dollars('at most', cost.most_usd)}`,
    `  time: ${seconds === null ? 'not known yet' : `about ${duration(seconds)}`}`,
    `  ${basis}`,
    '',
  ].join('\n');
}

function dollars(how: string, usd: number | null): string {
  return usd === null ? `${how} unknown` : `${how} $${usd.toFixed(4)}`;
}
