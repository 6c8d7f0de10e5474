import type { CallReceipt, Outcome, Verdict } from '../../../core/verdict.ts';
import type { ReadableLedger } from '../../../harness/attack/run.ts';
import { MemoryLedger } from '../judge/memory-ledger.ts';

/** A ledger in memory that can be read back. */
export class MemoryReadableLedger extends MemoryLedger implements ReadableLedger {
  readonly #said = new Map<string, Record<string, Outcome>>();

  override async record(
    intent: number,
    receipt: CallReceipt,
    verdicts: readonly Verdict[],
    final: boolean,
  ): Promise<void> {
    await super.record(intent, receipt, verdicts, final);
    const key = this.attempts[intent]?.call.key ?? '';
    this.#said.set(key, Object.fromEntries(verdicts.map(({ criterion, result }) => [criterion, result])));
  }

  outcomes(keys: readonly string[]): Map<string, Record<string, Outcome>> {
    return new Map([...this.#said].filter(([key]) => keys.includes(key)));
  }
}
