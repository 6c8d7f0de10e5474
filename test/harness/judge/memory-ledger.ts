import type { RunState } from '../../../core/run.ts';
import type { CallReceipt, Verdict } from '../../../core/verdict.ts';
import type { Attempt, Intent, Ledger, PlannedCall, RunStart } from '../../../harness/judge/ledger.ts';

interface Sent extends Attempt {
  run: string;
  call: PlannedCall;
  receipt: CallReceipt | null;
}

const LOST: CallReceipt = {
  usage: null,
  cost_usd: null,
  served_model: null,
  fingerprint: null,
  request_id: null,
  ms: 0,
  lost: true,
  raw: null,
};

/** A ledger that forgets everything with the process. */
export class MemoryLedger implements Ledger {
  readonly runs = new Map<string, RunStart & { state: RunState; why: string }>();
  readonly attempts: Sent[] = [];
  readonly verdicts: Verdict[] = [];
  readonly final = new Map<string, number>();

  async startRun(run: RunStart): Promise<void> {
    this.runs.set(run.id, { ...run, state: 'running', why: '' });
  }

  async endRun(id: string, state: Exclude<RunState, 'running'>, why: string): Promise<void> {
    const run = this.runs.get(id);
    if (run !== undefined) this.runs.set(id, { ...run, state, why });
  }

  answered(keys: readonly string[]): Map<string, number> {
    return new Map([...this.final].filter(([key]) => keys.includes(key)));
  }

  async adopt(): Promise<void> {}

  async giveUp(_run: string, { key }: PlannedCall, verdicts: readonly Verdict[]): Promise<void> {
    const unheard = this.attempts.filter(({ call, receipt }) => call.key === key && receipt === null);
    for (const attempt of unheard) attempt.receipt = LOST;
    if (unheard.length > 0) this.verdicts.push(...verdicts);
  }

  unheard(keys: readonly string[]): Set<string> {
    const open = new Set(
      this.attempts.flatMap(({ call, receipt }) => (receipt === null || receipt.lost ? [call.key] : [])),
    );
    return new Set(keys.filter((key) => open.has(key)));
  }

  async intend(run: string, call: PlannedCall, attempt: Attempt): Promise<Intent> {
    return { id: this.attempts.push({ ...attempt, run, call, receipt: null }) - 1 };
  }

  async settled(): Promise<void> {}

  async record(
    intent: number,
    receipt: CallReceipt,
    verdicts: readonly Verdict[],
    final: boolean,
  ): Promise<void> {
    const attempt = this.attempts[intent];
    if (attempt === undefined) throw new Error(`no intent ${intent}`);
    attempt.receipt = receipt;
    this.verdicts.push(...verdicts);
    if (final) this.final.set(attempt.call.key, intent);
  }
}
