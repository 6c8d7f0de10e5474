import type { Problem } from '../../core/problem.ts';
import { trivialAnswer } from '../../core/trivial-answer.ts';
import { requestOf } from '../judge/call.ts';
import type { Intent } from '../judge/ledger.ts';
import { drawNonce } from '../judge/nonce.ts';
import type { RunCall } from '../judge/open-calls.ts';
import { createQuestions } from '../judge/questions.ts';
import { budgetSpent, priceUnknown } from '../judge/reserve.ts';
import { type Ceiling, createCeiling } from '../provider/ceiling.ts';
import { findBatchPrice } from '../provider/price.ts';
import type { CompletionRequest } from '../provider/provider.ts';
import { type Desk, stamp, undo } from './desk.ts';

/** A batch whose calls are on disk, ready to be handed in. */
export interface Filled {
  id: number;
  marker: string;
  lines: string[];
}

/** Calls whose intents go to disk together. */
const CHUNK = 256;

interface Written {
  call: RunCall;
  line: string;
  request: CompletionRequest;
}

/** Fills batches from a run's open calls, as far as the budgets allow. */
export class Filler {
  /** Answers that are none: no model is asked about them. */
  readonly trivial: RunCall[] = [];
  /** Why the last batch was not filled further; null = there is nothing to stop it. */
  spent: Problem | null = null;
  readonly #desk: Desk;
  readonly #calls: AsyncGenerator<RunCall, undefined>;
  readonly #ceiling: Ceiling;
  readonly #write: (call: RunCall) => CompletionRequest;
  #waiting: Written[] = [];
  #count = 0;

  constructor(desk: Desk, calls: AsyncGenerator<RunCall, undefined>) {
    const { resolved, examples, random, config } = desk.run.options;
    const { judge } = resolved;
    const questions = createQuestions(resolved, examples, () => drawNonce(random));
    this.#desk = desk;
    this.#calls = calls;
    this.#ceiling = createCeiling(findBatchPrice(judge.provider, judge.model, config.prices));
    this.#write = ({ criteria, planned, sample: { content } }) => {
      const question = questions(criteria, content.kind, planned.order);
      const messages = [{ role: 'user' as const, text: question.prompt.user(content) }];
      return requestOf(question, messages, judge, planned.repeat, judge.params.max_output_tokens);
    };
  }

  /** @returns null where nothing is left, the run is stopped, or a budget has no room (see `spent`). */
  async next(): Promise<Filled | null> {
    const { run, ledger, batches, most } = this.#desk;
    const lines: string[] = [];
    let bytes = 0;
    let batch: { id: number; marker: string } | null = null;
    this.spent = null;
    while (this.spent === null && !run.stop.aborted) {
      const chunk: Written[] = [];
      while (chunk.length < CHUNK && lines.length + chunk.length < Math.min(most, batches.most.requests)) {
        const written = await this.#take();
        if (written === null) break;
        const size = Buffer.byteLength(written.line) + 1;
        if (bytes > 0 && bytes + size > batches.most.bytes) {
          this.#waiting.unshift(written);
          break;
        }
        bytes += size;
        chunk.push(written);
      }
      if (chunk.length === 0) break;
      if (batch === null) {
        const at = stamp(this.#desk);
        const marker = `${run.options.id}.${Date.parse(at).toString(36)}.${++this.#count}`;
        batch = { id: await ledger.begin(run.options.id, marker, at), marker };
      }
      lines.push(...(await this.#intend(chunk, batch.id)));
    }
    if (batch === null) return null;
    if (lines.length > 0) return { ...batch, lines };
    await undo(this.#desk, batch, 'unmade', 'a budget had no room for any of its calls');
    return null;
  }

  async #take(): Promise<Written | null> {
    const back = this.#waiting.shift();
    if (back !== undefined) return back;
    for (;;) {
      const next = await this.#calls.next();
      if (next.done) return null;
      const { judge, rubric } = this.#desk.run.options.resolved;
      const call = next.value;
      if (judge.trivial !== 'ask' && trivialAnswer(call.sample.content, [rubric.task]) !== null) {
        this.trivial.push(call);
        continue;
      }
      const request = this.#write(call);
      return { call, request, line: this.#desk.batches.line(call.planned.key, request) };
    }
  }

  /** Writes intents down. @returns the lines of those that the budgets have room for. */
  async #intend(chunk: readonly Written[], batch: number): Promise<string[]> {
    const { options } = this.#desk.run;
    const { judge } = options.resolved;
    const attemptOf = (request: CompletionRequest) => ({
      turn: 1,
      max_output_tokens: request.params.max_output_tokens,
      ceiling_usd: this.#ceiling(request),
      batch,
    });
    const at = stamp(this.#desk);
    const intents: Intent[] = await Promise.all(
      chunk.map(({ call, request }) =>
        options.ledger.intend(options.id, call.planned, attemptOf(request), at),
      ),
    );
    return chunk.flatMap((written, index) => {
      const intent = intents[index];
      if (intent !== undefined && 'id' in intent) return [written.line];
      this.#waiting.push(written);
      if (intent !== undefined && 'over' in intent)
        this.spent ??= budgetSpent(intent.over, attemptOf(written.request));
      else
        this.spent ??= priceUnknown(judge, `what sample ${written.call.planned.sample} can cost in a batch`);
      return [];
    });
  }
}
