import { describe, expect, it } from 'vitest';
import { confidenceSequence, driftMonitor } from '../../../core/stats/drift-monitor.ts';
import { randomStream } from '../../../core/stats/random.ts';
import { wilson } from '../../../core/stats/wilson.ts';

const STREAMS = 300;
const LOOKS = 200;

function outcomes(rate: number, random: ReturnType<typeof randomStream>, n = LOOKS): number[] {
  return Array.from({ length: n }, () => (random.uniform() < rate ? 1 : 0));
}

describe('drift monitor', () => {
  it('raises a false alarm in at most alpha of streams, though it looks after every outcome', () => {
    const random = randomStream(101);
    let alarms = 0;
    let naive = 0;
    for (let stream = 0; stream < STREAMS; stream++) {
      const seen = outcomes(0.9, random);
      if (driftMonitor(seen, { reference: 0.9 }).alarmAt !== null) alarms++;
      let agreed = 0;
      const looks = seen.map((outcome, index) => {
        agreed += outcome;
        return index >= 9 && (wilson(agreed, index + 1).ci?.high ?? 1) < 0.9;
      });
      if (looks.includes(true)) naive++;
    }
    expect(alarms / STREAMS).toBeLessThanOrEqual(0.05);
    expect(naive / STREAMS).toBeGreaterThan(0.1);
  });

  it('keeps that promise when the calibrated rate is itself an estimate', () => {
    const random = randomStream(102);
    let alarms = 0;
    for (let stream = 0; stream < STREAMS; stream++) {
      const agreed = outcomes(0.85, random, 80).reduce((sum, outcome) => sum + outcome, 0);
      const state = driftMonitor(outcomes(0.85, random), { reference: { agreed, n: 80 } });
      if (state.alarmAt !== null) alarms++;
    }
    expect(alarms / STREAMS).toBeLessThanOrEqual(0.05);
  });

  it('finds a real drop within a hundred anchors or so', () => {
    const random = randomStream(103);
    const found = Array.from(
      { length: 100 },
      () => driftMonitor(outcomes(0.7, random), { reference: 0.9 }).alarmAt ?? LOOKS,
    );
    expect(found.filter((look) => look < LOOKS).length).toBeGreaterThan(95);
    expect(found.sort((a, b) => a - b)[50]).toBeLessThan(60);
  });

  it('says nothing of a drop within the tolerance, or of a rise', () => {
    const random = randomStream(104);
    expect(driftMonitor(outcomes(0.87, random), { reference: 0.9, tolerance: 0.1 }).alarmAt).toBeNull();
    expect(driftMonitor(outcomes(1, random), { reference: 0.9 })).toMatchObject({ alarmAt: null, p: 1 });
  });

  it('remembers its alarm after the judge recovers', () => {
    const bad = Array.from({ length: 40 }, () => 0);
    const good = Array.from({ length: 400 }, () => 1);
    const state = driftMonitor([...bad, ...good], { reference: 0.9 });
    expect(state.alarmAt).toBeLessThan(10);
    expect(state.p).toBeLessThan(0.05);
  });

  it('has no evidence before the first anchor', () => {
    expect(driftMonitor([], { reference: 0.9 })).toMatchObject({ n: 0, p: 1, alarmAt: null, ci: null });
  });
});

describe('confidence sequence', () => {
  it('holds the rate at all looks of nearly all streams', () => {
    const random = randomStream(105);
    let held = 0;
    for (let stream = 0; stream < 150; stream++) {
      let agreed = 0;
      const all = outcomes(0.8, random, 150).every((outcome, index) => {
        agreed += outcome;
        const ci = confidenceSequence(agreed, index + 1);
        return ci !== null && ci.low <= 0.8 && ci.high >= 0.8;
      });
      if (all) held++;
    }
    expect(held / 150).toBeGreaterThanOrEqual(0.95);
  });

  it('is wider than the interval of one look, and shrinks', () => {
    const width = (ci: { low: number; high: number } | null) => (ci === null ? 0 : ci.high - ci.low);
    expect(width(confidenceSequence(80, 100))).toBeGreaterThan(width(wilson(80, 100).ci));
    expect(width(confidenceSequence(800, 1000))).toBeLessThan(width(confidenceSequence(80, 100)));
  });
});
