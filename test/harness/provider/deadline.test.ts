import { describe, expect, it } from 'vitest';
import type { Fault } from '../../simulator/fault.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { openOn, requestOf } from './open-test-provider.ts';

const NEVER = new AbortController().signal;
const DEADLINE_MS = 600;

/** How long one call takes that the server treats so, over a single connection, and what the next call comes to. */
async function timed(fault: Fault) {
  await using simulator = await createSimulator({
    faults: ({ number }) => (number === 2 ? fault : null),
  });
  const provider = await openOn(simulator, 'openai', { deadlineMs: DEADLINE_MS, connections: 1 });
  await provider.complete(requestOf('openai'), NEVER);
  const started = performance.now();
  const completion = await provider.complete(requestOf('openai'), NEVER);
  const ms = performance.now() - started;
  const next = await provider.complete(requestOf('openai'), NEVER);
  await provider.close();
  return { completion, ms, next, calls: simulator.calls };
}

describe('a call', () => {
  it.each<[string, Fault, number]>([
    ['falls silent after its headers, at half its deadline', { kind: 'stall' }, DEADLINE_MS / 2],
    ['comes byte by byte, at its deadline', { kind: 'drip', everyMs: 40 }, DEADLINE_MS],
    ['says nothing at all, at its deadline', { kind: 'late', ms: 3000 }, DEADLINE_MS],
  ])('is given up where the reply %s, and its connection is free for the next', async (_, fault, due) => {
    const { completion, ms, next, calls } = await timed(fault);
    expect(completion).toMatchObject({ status: 'failed', failure: 'timeout', maybeBilled: true });
    expect(ms).toBeGreaterThanOrEqual(due - 5);
    expect(ms).toBeLessThan(due + 250);
    expect(next.status).toBe('answered');
    expect(calls).toHaveLength(3);
  });
});
