import { expect, test } from 'vitest';
import { Walk } from '../../../web/agreement/walk.svelte.ts';

const differ = (sample: string, gold: string, verdict: string) => ({ sample, external: null, gold, verdict });
const walkOf = () => {
  const walk = new Walk();
  walk.open([differ('one', '1', '2'), differ('two', '2', '1'), differ('three', '1', '2')]);
  return walk;
};

test('walks from the first to the last and stops there', () => {
  const walk = walkOf();
  const path = [1, 1, 1, 1, -1].map((by) => {
    walk.step(by === 1 ? 1 : -1);
    return walk.sample;
  });
  expect(path).toEqual(['one', 'two', 'three', 'three', 'two']);
});

test('a cell filters the list, the same cell again shows all', () => {
  const walk = walkOf();
  walk.filter({ gold: '1', verdict: '2' });
  expect(walk.shown.map(({ sample }) => sample)).toEqual(['one', 'three']);
  walk.filter({ gold: '1', verdict: '2' });
  expect(walk.shown.length).toBe(3);
});

test('what the filter leaves out is no longer in sight', () => {
  const walk = walkOf();
  walk.sample = 'two';
  walk.filter({ gold: '1', verdict: '2' });
  expect([walk.sample, walk.chosen]).toEqual([null, null]);
});
