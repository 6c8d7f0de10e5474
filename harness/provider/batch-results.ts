import { type FailureContext, failed, failureOf } from './failure.ts';
import { SIMULATOR_HEADER } from './hear.ts';
import { streamedLines } from './json-lines.ts';
import type { BatchResult, CompletionRequest } from './provider.ts';
import type { Reader } from './reader.ts';

/** What a batch needs of the provider's single calls: the same bodies, the same reading of replies. */
export interface SingleCalls {
  bodyOf(request: CompletionRequest): object;
  read: Reader;
}

/** Fetches one file of results and reads it line by line; what can't be fetched is told as such. */
export async function* fetchResults(
  fetch: () => Promise<Response>,
  read: (line: string, simulator: boolean) => BatchResult,
  context: FailureContext,
): AsyncGenerator<BatchResult, undefined> {
  try {
    const response = await fetch();
    const simulator = response.headers.has(SIMULATOR_HEADER);
    for await (const line of streamedLines(response.body)) yield read(line, simulator);
  } catch (error) {
    const failure =
      error instanceof RangeError ? failed('bad_shape', error.message) : failureOf(error, context);
    yield { tells: 'unfetched', failure };
  }
}
