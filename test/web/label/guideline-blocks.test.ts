import { expect, test } from 'vitest';
import { guidelineBlocks } from '../../../web/label/guideline-blocks.ts';

const plain = (text: string) => [{ kind: 'plain', text }];

test('reads headings, paragraphs, lists and what is set off in them', () => {
  expect(
    guidelineBlocks(
      '### Tone\n- Take the **first** level\n  that fits.\n- Judge `words`.\n\nOne\nparagraph, *set off*.\n\n1. a\n2. b',
    ),
  ).toEqual([
    { kind: 'heading', text: plain('Tone') },
    {
      kind: 'list',
      ordered: false,
      items: [
        [
          { kind: 'plain', text: 'Take the ' },
          { kind: 'strong', text: 'first' },
          { kind: 'plain', text: ' level that fits.' },
        ],
        [
          { kind: 'plain', text: 'Judge ' },
          { kind: 'code', text: 'words' },
          { kind: 'plain', text: '.' },
        ],
      ],
    },
    {
      kind: 'paragraph',
      text: [
        { kind: 'plain', text: 'One paragraph, ' },
        { kind: 'emphasis', text: 'set off' },
        { kind: 'plain', text: '.' },
      ],
    },
    { kind: 'list', ordered: true, items: [plain('a'), plain('b')] },
  ]);
});

test('links, images and HTML stay the text that they are', () => {
  const text = '[x](javascript:alert(1)) ![y](http://a/b.png) <img src=x onerror=alert(1)>';
  expect(guidelineBlocks(text)).toEqual([{ kind: 'paragraph', text: plain(text) }]);
});
