import type { TokenPrice } from '../../core/price.ts';
import type { CompletionRequest } from './provider.ts';

/** The most US dollars that a request can cost; null where the price is not known. */
export type Ceiling = (request: CompletionRequest) => number | null;

/** Tokens that a provider adds of its own: the frame of each turn, its instructions for schemas and tools. */
const FRAME = 1000;

/**
 * The most that requests of a model can cost: no tokenizer makes more tokens than there are bytes, and no reply is longer
 * than it may be, thinking included.
 */
export function createCeiling(price: TokenPrice | null): Ceiling {
  return (request) => {
    if (price === null) return null;
    const { input, output } = mostTokens(request);
    if (price.up_to_input !== undefined && input > price.up_to_input) return null;
    return (input * Math.max(price.input, price.cache_write, price.cache_read) + output * price.output) / 1e6;
  };
}

/** Bounds from above on the tokens of a request and of its reply. */
export function mostTokens({ system, messages, output, params }: CompletionRequest) {
  const texts = [system, ...messages.map(({ text }) => text), JSON.stringify(output.schema)];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { input: bytes + FRAME, output: params.max_output_tokens };
}
