import type { ResolvedJudge } from '../../core/judge.ts';
import type { RunPlan } from '../../core/run.ts';
import type { Sample } from '../../core/sample.ts';
import { trivialAnswer } from '../../core/trivial-answer.ts';
import type { WorkspaceConfig } from '../../core/workspace.ts';
import { checkCapabilities } from '../provider/capabilities.ts';
import { createCeiling } from '../provider/ceiling.ts';
import { createPricer, findPrice } from '../provider/price.ts';
import type { CompletionRequest } from '../provider/provider.ts';
import { requestOf } from './call.ts';
import { checkFewShots, type FewShot } from './few-shot.ts';
import { type LookUpOptions, lookUp, type RunCall } from './open-calls.ts';
import { createQuestions } from './questions.ts';

/** What earlier answers of a judge took, on average. */
export interface Experience {
  answers: number;
  ms: number;
  output_tokens: number;
}

export interface EstimateOptions extends LookUpOptions {
  examples: readonly FewShot[];
  config: Pick<WorkspaceConfig, 'models' | 'prices'>;
  concurrency: number;
  experience: Experience | null;
}

/** Fewer answers than this say too little of what the next take. */
export const ENOUGH_ANSWERS = 5;

/** Bytes of English text a token, about, for the tokenizers of today. */
const BYTES_A_TOKEN = 4;

/**
 * Says what a run would do, without sending anything: looks each call up in the ledger and renders what is left.
 * @throws Problem as a run would, before its first call: samples that do not fit, parameters that the model does not take.
 */
export async function estimateRun(options: EstimateOptions): Promise<RunPlan> {
  const { plan, experience, concurrency, config } = options;
  const { judge } = plan.resolved;
  const model = judge.provider !== 'baseline';
  if (model) {
    checkCapabilities(judge, config.models);
    checkFewShots(plan.resolved.examples, options.examples);
  }
  const price = findPrice(judge.provider, judge.model, config.prices);
  const request = requests(plan.resolved, options.examples);
  const ceiling = createCeiling(price);
  const calls = { planned: 0, answered: 0, unheard: 0, trivial: 0, to_send: 0 };
  const seen = new Set<string>();
  let bytes = 0;
  let most: number | null = 0;
  for await (const chunk of lookUp(options)) {
    for (const call of chunk) {
      calls.planned++;
      if (call.stands === 'answered') calls.answered++;
      else if (!model || isTrivial(plan.resolved, call.sample)) calls.trivial++;
      else {
        if (call.stands === 'unheard') calls.unheard++;
        calls.to_send++;
        const sent = request(call);
        bytes += bytesOf(sent);
        const usd = ceiling(sent);
        most = most === null || usd === null ? null : most + usd;
      }
    }
    for (const { sample } of chunk) seen.add(sample.id);
  }
  const input = Math.round(bytes / BYTES_A_TOKEN);
  const output = experience === null ? null : Math.round(experience.output_tokens * calls.to_send);
  const usage = { input, output: output ?? 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0, reasoning: 0 };
  const about = output === null ? null : createPricer(price)(usage);
  return {
    samples: seen.size,
    calls,
    tokens: { input, output },
    cost: { about_usd: calls.to_send === 0 ? 0 : about, most_usd: most },
    seconds: experience === null ? null : (experience.ms * calls.to_send) / concurrency / 1000,
    basis: basisOf(experience, price === null ? `${judge.provider} ${judge.model}` : null),
  };
}

function requests(
  resolved: ResolvedJudge,
  examples: readonly FewShot[],
): (call: RunCall) => CompletionRequest {
  const questions = createQuestions(resolved, examples, () => '0'.repeat(16));
  const { judge } = resolved;
  return ({ criteria, planned, sample }) => {
    const question = questions(criteria, sample.content.kind, planned.order);
    const messages = [{ role: 'user' as const, text: question.prompt.user(sample.content) }];
    return requestOf(question, messages, judge, planned.repeat, judge.params.max_output_tokens);
  };
}

function isTrivial({ judge, rubric }: ResolvedJudge, { content }: Sample): boolean {
  return judge.trivial !== 'ask' && trivialAnswer(content, [rubric.task]) !== null;
}

function bytesOf({ system, messages, output }: CompletionRequest): number {
  const schema = output.mode === 'text' ? '' : JSON.stringify(output.schema);
  const texts = [system, ...messages.map(({ text }) => text), schema];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function basisOf(experience: Experience | null, unpriced: string | null): string {
  const said = [
    `Input tokens are the bytes of the prompts over ${BYTES_A_TOKEN}.`,
    experience === null
      ? `Output tokens, time and cost can be told once this judge has given ${ENOUGH_ANSWERS} answers.`
      : `Output tokens and time are the average of ${experience.answers} earlier answers of this judge.`,
    'Retries, second questions and cached tokens are not counted.',
    ...(unpriced === null
      ? []
      : [`The price of ${unpriced} is not known: give it under prices: in touchstone.yaml.`]),
  ];
  return said.join(' ');
}
