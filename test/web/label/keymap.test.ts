import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../harness/asset.ts';
import { clashes, type Deed, KEYMAP, type Press, wishOf } from '../../../web/label/keymap.ts';

const press = (key: string, rest: Partial<Press> = {}): Press => ({
  key,
  code: '',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  repeat: false,
  ...rest,
});
const deed = (key: string, rest: Partial<Press> = {}) =>
  wishOf(press(key, rest), 'page', 'answer', true)?.deed;

test('the page about labelling lists every key, as the key sheet does', () => {
  const page = readFileSync(join(packageRoot(), 'docs/labelling.md'), 'utf8');
  const lines = KEYMAP.map(({ shown, says }) => `| ${shown} | ${says} |`);
  expect(lines.filter((line) => !page.includes(line))).toEqual([]);
});

test('no key stands for two things, and a clash would be found', () => {
  expect(clashes(KEYMAP)).toEqual([]);
  const twice = { keys: ['s'], deed: 'flag' as const, mode: 'answer' as const, shown: 's', says: '' };
  expect(clashes([...KEYMAP, twice])).toEqual(['s (answer): skip, flag']);
});

test.each<[string, Deed]>([
  ['1', 'choose'],
  ['x', 'choose'],
  ['Enter', 'save'],
  ['ArrowRight', 'next'],
  ['ArrowLeft', 'previous'],
  ['u', 'unsure'],
  ['s', 'skip'],
  ['f', 'flag'],
  ['n', 'note'],
  ['e', 'evidence'],
  ['g', 'guidelines'],
  ['z', 'undo'],
  [']', 'nextStep'],
  ['[', 'previousStep'],
  ['o', 'openStep'],
  ['Escape', 'leave'],
])('%s: %s', (key, wanted) => {
  expect(deed(key)).toBe(wanted);
});

test('shift tells redo from undo, and the question mark stands where a keyboard has it', () => {
  expect(deed('Z', { shiftKey: true })).toBe('redo');
  expect(deed('?', { shiftKey: true })).toBe('keys');
  expect(deed('S', { shiftKey: true })).toBeUndefined();
});

test('caps lock changes nothing', () => {
  expect(deed('S')).toBe('skip');
});

test('keys are found by their place where the alphabet is another one', () => {
  expect(deed('ы', { code: 'KeyS' })).toBe('skip');
  expect(deed('я', { code: 'KeyZ', shiftKey: false })).toBe('undo');
  expect(deed('Я', { code: 'KeyZ', shiftKey: true })).toBe('redo');
  expect(wishOf(press('&', { code: 'Digit1' }), 'page', 'answer', true)).toEqual({
    deed: 'choose',
    key: '1',
  });
  expect(deed('!', { code: 'Digit1', shiftKey: true })).toBeUndefined();
});

test('text boxes keep their keys, but for Esc and Ctrl or Cmd + Enter', () => {
  const typed = (key: string, rest: Partial<Press> = {}) =>
    wishOf(press(key, rest), 'text', 'answer', true)?.deed;
  for (const key of ['1', 's', 'z', 'e', 'Enter', 'ArrowLeft', '?']) expect(typed(key)).toBeUndefined();
  expect(typed('Escape')).toBe('leave');
  expect(typed('Enter', { ctrlKey: true })).toBe('save');
  expect(typed('Enter', { metaKey: true })).toBe('save');
});

test('nothing happens in a dialog, while composing, or with a modifier that is the browser’s', () => {
  expect(wishOf(press('1'), 'dialog', 'answer', true)).toBeNull();
  expect(wishOf(press('1', { isComposing: true }), 'page', 'answer', true)).toBeNull();
  expect(wishOf(press('Escape', { isComposing: true }), 'text', 'answer', true)).toBeNull();
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const)
    expect(deed('s', { [modifier]: true })).toBeUndefined();
});

test('Enter on a button presses the button; digits act there all the same', () => {
  const on = (key: string) => wishOf(press(key), 'control', 'answer', true)?.deed;
  expect(on('Enter')).toBeUndefined();
  expect(on('1')).toBe('choose');
});

test('a key held down repeats a walk, never a choice', () => {
  expect(deed('ArrowRight', { repeat: true })).toBe('next');
  for (const key of ['1', 'Enter', 's', 'f', 'z', 'u']) expect(deed(key, { repeat: true })).toBeUndefined();
});

test('switched off, single keys do nothing, and a mark begun by button can still be ended', () => {
  for (const { keys, mode } of KEYMAP) {
    for (const key of keys) {
      const wish = wishOf(
        press(key.replace('shift+', ''), { shiftKey: key.startsWith('shift+') }),
        'page',
        mode,
        false,
      );
      if (mode === 'answer' && key !== 'escape') expect(wish).toBeNull();
      else expect(wish).not.toBeNull();
    }
  }
});

test('while marking, arrows walk over words and Enter grips', () => {
  const marking = (key: string, shiftKey = false) =>
    wishOf(press(key, { shiftKey }), 'page', 'mark', true)?.deed;
  expect(
    ['ArrowRight', 'ArrowUp', 'Enter', 'e', ' ', 'Tab', 'a', 'Escape'].map((key) => marking(key)),
  ).toEqual(['wordRight', 'sentenceUp', 'grip', 'grip', 'grip', 'otherText', 'wholeText', 'leave']);
  expect(marking('Tab', true)).toBe('otherTextBack');
  expect(marking('1')).toBeUndefined();
});
