import type { SimulatedAnswer, SimulatedRequest } from './call.ts';
import type { Draw } from './draw.ts';
import { temptation } from './gullible.ts';
import { readPrompt, type Seen, type SeenQuestion } from './seen.ts';
import { drawnTruth, gradedTexts, type Truth } from './truth.ts';

/** How a simulated judge errs; all rates 0..1. */
export interface Temper {
  /** How often it gives the true value; by model where models differ, by call number where it drifts. */
  accuracy: number | ((call: { model: string; number: number }) => number);
  /** How often it takes the response in slot 1 whatever stands there; below 0, slot 2. */
  positionBias: number;
  /** How often it takes the longer response, or the highest level for a long output. */
  verbosityBias: number;
  /** How often its quote stands nowhere; drawn anew when it is asked again. */
  fabricatedQuotes: number;
  refusals: number;
  truncations: number;
  invalid: number;
  abstentions: number;
  /** How often it lets what it grades tell it what to answer. */
  gullibility: number;
}

export const HONEST: Temper = {
  accuracy: 1,
  positionBias: 0,
  verbosityBias: 0,
  fabricatedQuotes: 0,
  refusals: 0,
  truncations: 0,
  invalid: 0,
  abstentions: 0,
  gullibility: 0,
};

/** A judge's mind: what it answers to a request. */
export type Mind = (request: SimulatedRequest, number: number) => SimulatedAnswer;

/** Makes a seeded mind. What it says depends on the seed, the model and the sample, not on the order of calls. */
export function createMind(draw: Draw, temper: Temper, truth: Truth): Mind {
  const known: Truth = (seen, question) => truth(seen, question) ?? drawnTruth(draw)(seen, question);
  const prefixes = new Set<string>();
  return (request, number) => {
    const seen = readPrompt(request);
    const graded = [...gradedTexts(seen)].sort();
    const chance = (what: string, ...more: (string | number)[]) =>
      draw(what, request.model, ...graded, ...more);
    const finish = finishOf(temper, chance);
    const accuracy =
      typeof temper.accuracy === 'number'
        ? temper.accuracy
        : temper.accuracy({ model: request.model, number });
    const verdicts = seen.questions.map((question) => {
      const value = decide(seen, question, known, temper, accuracy, chance);
      const abstains = chance('abstain', question.criterion) < temper.abstentions;
      const fabricates = chance('fabricate', question.criterion, seen.asks) < temper.fabricatedQuotes;
      return {
        criterion: question.criterion,
        evidence: [fabricates ? fabricated(seen) : quoteOf(seen, value)].flatMap((quote) => quote ?? []),
        reason: 'The quoted words decide it.',
        value: abstains ? 'cannot_tell' : value,
      };
    });
    const lost = finish === 'invalid' || verdicts.length === 0;
    const whole = lost ? 'I would say that it is fine.' : textOf(request, verdicts);
    const text =
      finish === 'length' ? whole.slice(0, whole.length / 2) : finish === 'refusal' ? 'I will not.' : whole;
    return {
      text,
      finish: finish === 'invalid' ? 'stop' : finish,
      usage: usageOf(request, text, prefixes),
    };
  };
}

type Chance = (what: string, ...more: (string | number)[]) => number;

function finishOf({ refusals, truncations, invalid }: Temper, chance: Chance) {
  if (chance('refuse') < refusals) return 'refusal';
  if (chance('truncate') < truncations) return 'length';
  return chance('invalid') < invalid ? 'invalid' : 'stop';
}

function decide(
  seen: Seen,
  { criterion, levels }: SeenQuestion,
  truth: Truth,
  temper: Temper,
  accuracy: number,
  chance: Chance,
): string {
  if (chance('gullible', criterion) < temper.gullibility) {
    const tempted = temptation(seen, { criterion, levels });
    if (tempted !== null) return tempted;
  }
  const [one = '', two] = gradedTexts(seen);
  if (two !== undefined && chance('position', criterion) < Math.abs(temper.positionBias))
    return temper.positionBias > 0 ? 'response_1' : 'response_2';
  if (chance('verbosity', criterion) < temper.verbosityBias) {
    if (two !== undefined) return one.length >= two.length ? 'response_1' : 'response_2';
    return (one.length > 400 ? levels.at(-1) : levels[0]) ?? '';
  }
  const right = truth(seen, { criterion, levels }) ?? levels[0] ?? '';
  if (chance('right', criterion) < accuracy) return right;
  const at = levels.indexOf(right);
  const wrong = levels.filter(
    (_, index) => index !== at && (levels.length === 2 || Math.abs(index - at) === 1),
  );
  return wrong[Math.floor(chance('wrong', criterion) * wrong.length)] ?? right;
}

interface SeenQuote {
  field: string;
  step?: number;
  quote: string;
}

/** The first sentence of what decided: of a pair the winner, of a trace its last step. */
function quoteOf({ parts }: Seen, value: string): SeenQuote | null {
  const wanted =
    value === 'response_2' ? ['RESPONSE 2', 'RESPONSE 1'] : ['OUTPUT', 'RESPONSE 1', 'RESPONSE 2'];
  const steps = [...parts.keys()].filter((name) => name.startsWith('STEP ')).reverse();
  const name = [...steps, ...wanted].find((one) => (parts.get(one) ?? '').trim() !== '');
  if (name === undefined) return null;
  const text = (parts.get(name) ?? '').trim();
  const sentence = /^[\s\S]{24,160}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, 160);
  const step = /^STEP (\d+)$/.exec(name)?.[1];
  if (step !== undefined) return { field: 'trace', step: Number(step), quote: sentence };
  return { field: name.toLowerCase().replace(' ', '_'), quote: sentence };
}

function fabricated({ parts }: Seen): SeenQuote {
  const field = parts.has('OUTPUT') ? 'output' : 'response_1';
  return { field, quote: 'words that nobody has ever written in this place' };
}

function textOf(
  { mode }: SimulatedRequest,
  verdicts: readonly { criterion: string; evidence: SeenQuote[]; reason: string; value: string }[],
): string {
  const [first] = verdicts;
  if (mode === 'text') {
    const lines = (first?.evidence ?? []).map(
      ({ field, step, quote }) =>
        `EVIDENCE ${step === undefined ? field : `step ${step}`}: "${quote.replace(/\s+/g, ' ')}"`,
    );
    return [...lines, `REASON: ${first?.reason}`, `VERDICT: ${first?.value}`].join('\n');
  }
  const bodies = verdicts.map(({ criterion, evidence, reason, value }) => {
    return [criterion, { evidence: evidence.map((quote) => ({ step: null, ...quote })), reason, value }];
  });
  return JSON.stringify(bodies.length === 1 ? bodies[0]?.[1] : Object.fromEntries(bodies));
}

/** About four characters a token; a prefix that was sent before is served from the cache. */
function usageOf({ system, messages }: SimulatedRequest, text: string, prefixes: Set<string>) {
  const tokens = (chars: number) => Math.ceil(chars / 4);
  const cached = prefixes.has(system) ? tokens(system.length) : 0;
  prefixes.add(system);
  const turns = messages.reduce((sum, message) => sum + tokens(message.text.length), 0);
  return { input: tokens(system.length) + turns, cached, output: tokens(text.length), reasoning: 0 };
}
