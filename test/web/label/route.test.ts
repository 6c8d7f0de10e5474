import { expect, test } from 'vitest';
import { nextOpen, upcoming } from '../../../web/label/route.ts';

test('goes on to the next open one, then to those left before, then to the end', () => {
  const states = ['todo', 'done', 'skipped', 'partial', 'done'] as const;
  expect(nextOpen(states, 1, 'open')).toBe(3);
  expect(nextOpen(states, 3, 'open')).toBe(0);
  expect(nextOpen(['done', 'skipped', 'flagged'], 0, 'open')).toBeNull();
});

test('an item that stays open does not lead to itself', () => {
  expect(nextOpen(['partial', 'done'], 0, 'open')).toBeNull();
});

test('a round over skipped ones goes through each once', () => {
  const states = ['skipped', 'todo', 'skipped'] as const;
  expect([
    nextOpen(states, -1, 'skipped'),
    nextOpen(states, 0, 'skipped'),
    nextOpen(states, 2, 'skipped'),
  ]).toEqual([0, 2, null]);
});

test('what is fetched ahead: three open ones, and the neighbour', () => {
  expect(upcoming(['todo', 'done', 'todo', 'todo', 'todo', 'todo'], 0, 3)).toEqual([2, 3, 4, 1]);
  expect(upcoming(['todo'], 0, 3)).toEqual([]);
});
