/** What a key can do on the labelling page. */
export type Deed =
  | 'choose'
  | 'save'
  | 'next'
  | 'previous'
  | 'unsure'
  | 'skip'
  | 'flag'
  | 'note'
  | 'evidence'
  | 'guidelines'
  | 'undo'
  | 'redo'
  | 'keys'
  | 'leave'
  | 'nextStep'
  | 'previousStep'
  | 'openStep'
  | 'markStep'
  | 'wordRight'
  | 'wordLeft'
  | 'sentenceDown'
  | 'sentenceUp'
  | 'grip'
  | 'otherText'
  | 'otherTextBack'
  | 'wholeText';

/** When a binding holds: while answering, or while marking a passage by key. */
export type Mode = 'answer' | 'mark';

export interface Binding {
  /** `KeyboardEvent.key` in lower case; `shift+` where the shift key is part of it. */
  keys: readonly string[];
  deed: Deed;
  mode: Mode;
  /** As the key sheet shows it. */
  shown: string;
  says: string;
}

/** Every key of the labelling page, in the order of the key sheet. */
export const KEYMAP: readonly Binding[] = [
  {
    keys: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'x'],
    deed: 'choose',
    mode: 'answer',
    shown: '0–9 x',
    says: 'choose the level that carries the key; pairs: 1 left, 2 right, 0 tie; x does not apply',
  },
  { keys: ['enter'], deed: 'save', mode: 'answer', shown: 'Enter', says: 'save and go on' },
  { keys: ['arrowright'], deed: 'next', mode: 'answer', shown: '→', says: 'next sample' },
  { keys: ['arrowleft'], deed: 'previous', mode: 'answer', shown: '←', says: 'previous sample' },
  { keys: ['u'], deed: 'unsure', mode: 'answer', shown: 'u', says: 'answered, but not sure' },
  { keys: ['s'], deed: 'skip', mode: 'answer', shown: 's', says: 'skip: not now, it comes again' },
  { keys: ['f'], deed: 'flag', mode: 'answer', shown: 'f', says: 'flag: this sample is broken' },
  { keys: ['n'], deed: 'note', mode: 'answer', shown: 'n', says: 'write a note' },
  {
    keys: ['e'],
    deed: 'evidence',
    mode: 'answer',
    shown: 'e',
    says: 'mark what is selected, or begin to mark by key',
  },
  { keys: ['g'], deed: 'guidelines', mode: 'answer', shown: 'g', says: 'guidelines' },
  { keys: ['z'], deed: 'undo', mode: 'answer', shown: 'z', says: 'take back, also what is saved' },
  { keys: ['shift+z'], deed: 'redo', mode: 'answer', shown: 'Shift z', says: 'do again' },
  { keys: [']'], deed: 'nextStep', mode: 'answer', shown: ']', says: 'next step of a trace' },
  { keys: ['['], deed: 'previousStep', mode: 'answer', shown: '[', says: 'previous step' },
  { keys: ['o'], deed: 'openStep', mode: 'answer', shown: 'o', says: 'open or fold the step' },
  { keys: ['m'], deed: 'markStep', mode: 'answer', shown: 'm', says: 'mark the whole step as evidence' },
  { keys: ['?'], deed: 'keys', mode: 'answer', shown: '?', says: 'this sheet' },
  { keys: ['escape'], deed: 'leave', mode: 'answer', shown: 'Esc', says: 'leave a text box or a dialog' },
  { keys: ['arrowright'], deed: 'wordRight', mode: 'mark', shown: '→', says: 'next word' },
  { keys: ['arrowleft'], deed: 'wordLeft', mode: 'mark', shown: '←', says: 'previous word' },
  { keys: ['arrowdown'], deed: 'sentenceDown', mode: 'mark', shown: '↓', says: 'next sentence' },
  { keys: ['arrowup'], deed: 'sentenceUp', mode: 'mark', shown: '↑', says: 'previous sentence' },
  {
    keys: ['enter', ' ', 'e'],
    deed: 'grip',
    mode: 'mark',
    shown: 'Enter',
    says: 'begin the mark here; again: end it',
  },
  { keys: ['tab'], deed: 'otherText', mode: 'mark', shown: 'Tab', says: 'next text' },
  { keys: ['shift+tab'], deed: 'otherTextBack', mode: 'mark', shown: 'Shift Tab', says: 'previous text' },
  { keys: ['a'], deed: 'wholeText', mode: 'mark', shown: 'a', says: 'mark the whole text' },
  { keys: ['escape'], deed: 'leave', mode: 'mark', shown: 'Esc', says: 'stop marking' },
];

/** What the page needs to know of a key press. */
export interface Press {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  repeat: boolean;
}

/** Where the press landed: in a text box, in an open dialog, on a button or link, or on the page. */
export type Place = 'text' | 'dialog' | 'control' | 'page';

/** What a press asks for, and the key of its level where it chooses one. */
export interface Wish {
  deed: Deed;
  key: string;
}

/**
 * What a key press means; null where it is the browser's own business.
 * In text boxes only Esc and Ctrl or Cmd + Enter are ours, in dialogs none, on a button Enter and Space press it.
 * @param on false where the person has switched single keys off: Esc and the marking keys then remain.
 */
export function wishOf(press: Press, place: Place, mode: Mode, on: boolean): Wish | null {
  const key = keyOf(press);
  if (press.isComposing || place === 'dialog') return null;
  const command = press.ctrlKey || press.metaKey;
  if (place === 'text') {
    if (key === 'enter' && command && !press.altKey) return { deed: 'save', key };
    return key === 'escape' ? { deed: 'leave', key } : null;
  }
  if (command || press.altKey) return null;
  if (place === 'control' && mode === 'answer' && (key === 'enter' || key === ' ')) return null;
  const found = KEYMAP.find((binding) => binding.mode === mode && binding.keys.includes(key));
  if (found === undefined || (press.repeat && !REPEATS.has(found.deed))) return null;
  if (!on && mode === 'answer' && found.deed !== 'leave') return null;
  return { deed: found.deed, key };
}

/** Pairs of bindings that claim one key in one mode: there must be none. */
export function clashes(keymap: readonly Binding[]): string[] {
  const seen = new Map<string, Deed>();
  return keymap.flatMap(({ mode, keys, deed }) =>
    keys.flatMap((key) => {
      const other = seen.get(`${mode} ${key}`);
      seen.set(`${mode} ${key}`, deed);
      return other === undefined ? [] : [`${key} (${mode}): ${other}, ${deed}`];
    }),
  );
}

/** Deeds that a key held down may do again and again. */
const REPEATS: ReadonlySet<Deed> = new Set([
  'next',
  'previous',
  'nextStep',
  'previousStep',
  'wordRight',
  'wordLeft',
  'sentenceDown',
  'sentenceUp',
]);

/**
 * The key by the sign that it makes; where that is no Latin letter or digit, as on Cyrillic or French keyboards, by its
 * place. Caps lock changes nothing.
 */
function keyOf({ key, code, shiftKey }: Press): string {
  if (/^[0-9?[\]]$/.test(key)) return key;
  if (/^[a-z]$/i.test(key) || key.length > 1 || key === ' ')
    return `${shiftKey ? 'shift+' : ''}${key.toLowerCase()}`;
  const place =
    /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ??
    /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ??
    BRACKETS[code];
  if (place === undefined || (shiftKey && place !== 'z')) return key;
  return shiftKey ? `shift+${place}` : place;
}

const BRACKETS: Record<string, string> = { BracketLeft: '[', BracketRight: ']' };
