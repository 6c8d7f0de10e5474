/** The attribute that an element carries whose text content is one raw text. */
export const TEXT_KEY = 'data-text';

/** What the person has selected inside one raw text: the text's key and offsets in UTF-16 units. */
export interface SelectedText {
  key: string;
  start: number;
  end: number;
}

/**
 * The selection, where it is not empty and stands in one raw text; white space at its edges is left out. A selection
 * that runs out of its text over nothing but white space, as a triple click makes it, ends with the text.
 */
export function selectedText(selection: Selection | null): SelectedText | null {
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const whole = selection.getRangeAt(0);
  const root = rawText(whole.startContainer);
  const key = root?.getAttribute(TEXT_KEY);
  if (root === null || key == null) return null;
  const range = whole.cloneRange();
  if (rawText(whole.endContainer) !== root) {
    range.setEnd(root, root.childNodes.length);
    if (range.toString().trim() !== whole.toString().trim()) return null;
  }
  const before = document.createRange();
  before.setStart(root, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const from = before.toString().length;
  const chosen = range.toString();
  const start = from + chosen.length - chosen.trimStart().length;
  const end = from + chosen.trimEnd().length;
  return end > start ? { key, start, end } : null;
}

function rawText(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest(`[${TEXT_KEY}]`) ?? null;
}
