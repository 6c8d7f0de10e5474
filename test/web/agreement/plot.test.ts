import { expect, test } from 'vitest';
import { domainOf, type PlotRow, placeOn } from '../../../web/ui/plot.ts';

const row = (value: number | null, low: number | null): PlotRow => ({
  name: 'κ',
  value,
  n: 9,
  kind: 'judge',
  ci: low === null ? null : { low, high: 0.9, level: 0.95, method: 'm' },
});

test('the axis runs from 0 to 1, and below 0 as far as an interval reaches', () => {
  expect(domainOf([row(0.6, 0.2)], []).ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(domainOf([row(0.1, -0.31)], []).low).toBe(-0.4);
  expect(domainOf([row(null, null)], []).low).toBe(0);
  expect(domainOf([row(-1, -1)], []).ticks[0]).toBe(-1);
});

test('a value stands at its share of the axis, never outside', () => {
  const domain = domainOf([row(0, -0.2)], []);
  expect([
    placeOn(domain, -0.2),
    Math.round(placeOn(domain, 0.4)),
    placeOn(domain, 1),
    placeOn(domain, -3),
  ]).toEqual([0, 50, 100, 0]);
});
