import { expect, test } from 'vitest';
import { median, timeLeft } from '../../../web/label/pace.ts';

test('the middle of odd and even numbers, and of none', () => {
  expect([median([9, 1, 5]), median([1, 2, 3, 10]), median([])]).toEqual([5, 2.5, null]);
});

test('no guess of the end before five samples', () => {
  expect(timeLeft([1000, 1000, 1000, 1000], 10)).toBeNull();
  expect(timeLeft([1000, 2000, 3000, 2000, 90_000], 10)).toBe(20_000);
});
