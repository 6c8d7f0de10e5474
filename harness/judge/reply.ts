import { z } from 'zod';
import type { Judge } from '../../core/judge.ts';
import type { Criterion } from '../../core/rubric.ts';
import { JudgeReply } from '../../core/verdict.ts';
import { type Ask, offeredValues } from './ask.ts';
import { duplicateKey } from './json-text.ts';
import { readTextReply } from './text-reply.ts';

/** A quote as the judge gives it, before any check. */
export interface Claim {
  /** The field's name as the judge wrote it. */
  field: string;
  step: number | null;
  quote: string;
  /** Offsets that the judge gave of its own accord. */
  start?: number;
  end?: number;
}

/** What a reply says of one criterion, or why it says nothing that counts. */
export type Reading =
  | {
      read: 'value' /** A level, `cannot_tell` or `not_applicable`. */;
      value: string;
      reason: string;
      claims: Claim[];
    }
  | { read: 'invalid'; why: string };

/** Longest reason that is kept, characters. */
const LONGEST_REASON = 8000;
const LONGEST_QUOTE = 20_000;

/**
 * Reads a reply against what was asked. Structured and tool replies must be one JSON object and nothing else; text
 * replies are read by their last VERDICT line.
 * @returns one reading a criterion, in the order of the ask.
 */
export function readReply(text: string, output: Judge['output'], ask: Ask): Reading[] {
  const bodies = output === 'text' ? [readTextReply(text)] : readJson(text, ask.criteria);
  return ask.criteria.map((criterion, index) => {
    const body = bodies[index];
    if (body === undefined) return invalid('the reply has no answer to it');
    return typeof body === 'string' ? invalid(body) : readValue(body, criterion, ask, output === 'text');
  });
}

/** The reply to each criterion, or why there is none. */
function readJson(text: string, criteria: readonly Criterion[]): (JudgeReply | string | undefined)[] {
  const parsed = parseObject(text);
  if (typeof parsed === 'string') return criteria.map(() => parsed);
  if (criteria.length === 1) return [readVerdict(parsed)];
  const unknown = Object.keys(parsed).find((id) => !criteria.some((criterion) => criterion.id === id));
  if (unknown !== undefined) return criteria.map(() => `the reply answers "${unknown}", which was not asked`);
  return criteria.map(({ id }) => (Object.hasOwn(parsed, id) ? readVerdict(parsed[id]) : undefined));
}

function parseObject(text: string): Record<string, unknown> | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return text.trim() === '' ? 'the reply is empty' : 'the reply is not one JSON object and nothing else';
  }
  const object = z.record(z.string(), z.unknown()).safeParse(parsed);
  if (!object.success) return 'the reply is JSON, but no object';
  const twice = duplicateKey(text);
  return twice === null ? object.data : `the reply gives "${twice}" twice`;
}

function readVerdict(body: unknown): JudgeReply | string {
  const reply = JudgeReply.safeParse(body);
  if (reply.success) return reply.data;
  const [issue] = reply.error.issues;
  return `the reply lacks its shape at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? 'unknown'}`;
}

function readValue(reply: JudgeReply, criterion: Criterion, ask: Ask, lenient: boolean): Reading {
  const offered = offeredValues(ask, criterion);
  const given = String(reply.value);
  const value = offered.get(given) ?? (lenient ? looselyOffered(offered, given) : undefined);
  if (value === undefined)
    return invalid(`"${given.slice(0, 200)}" is none of ${[...offered.keys()].join(', ')}`);
  return {
    read: 'value',
    value,
    reason: wellFormed(reply.reason, LONGEST_REASON),
    claims: reply.evidence.map(({ field, step, quote, start, end }) => ({
      field,
      step: step ?? null,
      quote: wellFormed(quote, LONGEST_QUOTE),
      ...(typeof start === 'number' && { start }),
      ...(typeof end === 'number' && { end }),
    })),
  };
}

function looselyOffered(offered: ReadonlyMap<string, string>, given: string): string | undefined {
  const same = [...offered].filter(([shown]) => shown.toLowerCase() === given.toLowerCase());
  return same.length === 1 ? same[0]?.[1] : undefined;
}

/** Cut to a length, and without halves of surrogate pairs, which no database keeps. */
function wellFormed(text: string, longest: number): string {
  return text.slice(0, longest).replace(/\p{Surrogate}/gu, '\ufffd');
}

function invalid(why: string): Reading {
  return { read: 'invalid', why };
}
