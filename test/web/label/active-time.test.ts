import { expect, test } from 'vitest';
import { ActiveTime } from '../../../web/label/active-time.ts';

test('counts the time between signs of life', () => {
  const time = new ActiveTime(1000);
  time.touch(3000);
  expect(time.take(6000)).toBe(5000);
  expect(time.take(7000)).toBe(1000);
});

test('stands after 30 seconds without a sign of life', () => {
  const time = new ActiveTime(0);
  time.touch(10_000);
  expect(time.take(3_600_000)).toBe(40_000);
});

test('stands while the page is hidden', () => {
  const time = new ActiveTime(0);
  time.hide(5000);
  time.show(65_000);
  expect(time.take(66_000)).toBe(6000);
});

test('nothing is counted while hidden, whatever happens', () => {
  const time = new ActiveTime(0);
  time.hide(1000);
  time.touch(20_000);
  expect(time.take(25_000)).toBe(1000);
});
