import type { JudgeReply } from '../../core/verdict.ts';

const VERDICT = /^[\s*_#>-]*VERDICT[*_]*\s*:\s*(.+)$/i;
const REASON = /^[\s*_#>-]*REASON[*_]*\s*:\s*(.*)$/i;
const EVIDENCE = /^[\s*_#>-]*EVIDENCE\s+(?:(step)\s+(\d+)|([a-z]+(?:[ _]\d)?))[*_]*\s*:\s*(.+)$/i;
/** A quote between straight, curly or backtick marks; what follows the closing mark is dropped. */
const QUOTED = /^["\u201c`](.*)["\u201d`]/s;

/**
 * Reads a reply in lines: `EVIDENCE field: "quote"`, `REASON: text`, `VERDICT: value`. The last VERDICT line counts,
 * not one mentioned on the way; Markdown emphasis around the words and a full stop after the value are let pass.
 * @returns the reply, or why there is none.
 */
export function readTextReply(text: string): JudgeReply | string {
  const lines = text.split(/\r?\n/);
  const verdict = lines.map((line) => VERDICT.exec(line)?.[1]).findLast((value) => value !== undefined);
  if (verdict === undefined) return 'the reply has no line "VERDICT: value"';
  const reason = lines.map((line) => REASON.exec(line)?.[1]).findLast((value) => value !== undefined);
  return {
    evidence: lines.flatMap((line) => readEvidence(line)),
    reason: (reason ?? '').trim(),
    value: bare(verdict),
  };
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
