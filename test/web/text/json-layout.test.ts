import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layOutJson } from '../../../web/text/json-layout.ts';

test('moves white space only: numbers keep their digits, repeated keys stay', () => {
  expect(
    layOutJson('{"id":12345678901234567890,"a":1.10,"a":[ ],"s":"x, {y}\\"","o":{}}'),
  ).toMatchInlineSnapshot(`
    "{
      "id": 12345678901234567890,
      "a": 1.10,
      "a": [],
      "s": "x, {y}\\"",
      "o": {}
    }"
  `);
});

test('lays out any JSON as the usual layout does', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
      const text = JSON.stringify(value);
      expect(layOutJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});

test.each(['plain words', '"a string"', '12', '{broken', '[1,]', ''])('has no layout for %j', (text) => {
  expect(layOutJson(text)).toBeNull();
});
