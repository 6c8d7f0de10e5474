import type { JudgeReply } from '../../core/verdict.ts';

const VERDICT = /^[\s*_#-]*VERDICT[*_]*\s*:\s*(.+)$/i;
const REASON = /^[\s*_#-]*REASON[*_]*\s*:\s*(.*)$/i;
const EVIDENCE = /^[\s*_#-]*EVIDENCE\s+(?:(step)\s+(\d+)|([a-z]+(?:[ _]\d)?))[*_]*\s*:\s*(.+)$/i;
/** A quote between straight, curly or backtick marks; what follows the closing mark is dropped. */
const QUOTED = /^["\u201c`](.*)["\u201d`]/s;
const FENCE = /^\s*(```|~~~)/;

/**
 * Reads a reply in lines: `EVIDENCE field: "quote"`, `REASON: text`, `VERDICT: value`. The verdict is the last line, and
 * what belongs to it stands after the verdict before, if there is one: a verdict mentioned on the way, quoted (`>`, a
 * fenced block) or thought of (`<think>`) does not count. Markdown emphasis around the words, a full stop after the value
 * and one fence around the whole reply are let pass.
 * @returns the reply, or why there is none.
 */
export function readTextReply(text: string): JudgeReply | string {
  const lines = spokenLines(text);
  const verdicts = lines.flatMap((line, at) => {
    const value = VERDICT.exec(line)?.[1];
    return value === undefined ? [] : [{ at, value: bare(value) }];
  });
  const [before, last] = [verdicts.at(-2), verdicts.at(-1)];
  if (last === undefined) return 'the reply has no line "VERDICT: value"';
  if (last.at < lines.length - 1) return 'the reply goes on after its verdict';
  if (before !== undefined && before.at === last.at - 1 && before.value !== last.value)
    return `the reply ends with two verdicts, "${before.value}" and "${last.value}"`.slice(0, 200);
  const own = before === undefined || before.value === last.value ? lines : lines.slice(before.at + 1);
  const reason = own.map((line) => REASON.exec(line)?.[1]).findLast((value) => value !== undefined);
  return {
    evidence: own.flatMap((line) => readEvidence(line)),
    reason: (reason ?? '').trim(),
    value: last.value,
  };
}

/** The lines that the model says in its own voice, blank ones left out. */
function spokenLines(text: string): string[] {
  const said = text.replace(/^\s*<think>[\s\S]*?(<\/think>|$)/i, '');
  const lines = said.split(/\r?\n/).filter((line) => line.trim() !== '');
  const fences = lines.filter((line) => FENCE.test(line)).length;
  const wrapped = fences === 2 && FENCE.test(lines[0] ?? '') && FENCE.test(lines.at(-1) ?? '');
  if (wrapped) return lines.slice(1, -1);
  let fenced = false;
  return lines.filter((line) => {
    if (!FENCE.test(line)) return !fenced;
    fenced = !fenced;
    return false;
  });
}

function readEvidence(line: string): JudgeReply['evidence'] {
  const found = EVIDENCE.exec(line);
  if (found === null) return [];
  const [, step, number, field, rest = ''] = found;
  const quote = QUOTED.exec(rest.trim())?.[1] ?? rest.trim();
  if (step !== undefined) return [{ field: 'trace', step: Number(number), quote }];
  return [{ field: (field ?? '').toLowerCase().replace(' ', '_'), quote }];
}

/** A value without emphasis, quotation marks or a closing full stop. */
function bare(value: string): string {
  return value
    .trim()
    .replace(/^[*_`"']+|[*_`"'.]+$/g, '')
    .trim();
}
