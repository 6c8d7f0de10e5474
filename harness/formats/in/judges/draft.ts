import type { z } from 'zod';
import { type Judge, JudgeParams, type ProviderName } from '../../../../core/judge.ts';
import { isFloating } from '../../../../core/pin.ts';
import { Problem, placeText } from '../../../../core/problem.ts';
import { type Rubric, Slug, versionRef } from '../../../../core/rubric.ts';
import type { ForeignJudge, KeyPath, Loss } from '../../foreign-judge.ts';
import type { JudgeSource } from './source.ts';

/** A rubric and the judge that asks it, as their files shall say, and what the foreign file said beyond that. */
export interface JudgeDraft {
  rubric: z.input<typeof Rubric>;
  judge: z.input<typeof Judge>;
  losses: Loss[];
}

export interface DraftChoices {
  /** The id of judge and rubric; where the file needs several, the ids begin with it. */
  id: string;
  /** Only these criteria; null = all. */
  criteria: readonly string[] | null;
  /** In place of the model that the file names. */
  model: { provider: ProviderName; model: string; endpoint: string | null } | null;
  allowFloating: boolean;
}

/** Makes drafts of foreign judges: those of one prompt, model and kind share one. @throws Problem where a model is missing, unknown or floating. */
export function draftJudges(
  source: JudgeSource,
  judges: ForeignJudge[],
  choices: DraftChoices,
): JudgeDraft[] {
  const named = chosen(withIds(judges), choices.criteria);
  const groups = new Map<string, Named[]>();
  for (const one of named) {
    const { guidelines, model, params, scale } = one.judge;
    const pair = scale.scale === 'pairwise';
    const key = JSON.stringify([guidelines, choices.model ?? model?.text, valuesOf(params), pair]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const taken = new Set<string>();
  return [...groups.values()].map((group, index) => {
    const [only] = group;
    const suffix = group.length === 1 && only !== undefined ? only.id : String(index + 1);
    const id =
      groups.size === 1 ? choices.id : unique(Slug.parse(`${choices.id}-${suffix}`.slice(0, 80)), taken);
    return draftOf(source, id, group, choices);
  });
}

/** An id that a path can hold, out of any name. */
export function slugOf(name: string, otherwise: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const slug = plain.replace(/[^a-z0-9._-]+/g, '-').replace(/^[._-]+/, '');
  return slug.slice(0, 60).replace(/[._-]+$/, '') || otherwise;
}

interface Named {
  id: string;
  judge: ForeignJudge;
}

function withIds(judges: ForeignJudge[]): Named[] {
  const taken = new Set<string>();
  return judges.map((judge) => ({ id: unique(slugOf(judge.name, 'criterion'), taken), judge }));
}

function unique(id: string, taken: Set<string>): string {
  let free = id;
  for (let n = 2; taken.has(free); n++) free = `${id.slice(0, 74)}-${n}`;
  taken.add(free);
  return free;
}

function chosen(judges: Named[], wanted: readonly string[] | null): Named[] {
  const missing = (wanted ?? []).filter((id) => !judges.some((judge) => judge.id === id));
  if (missing.length > 0) {
    throw new Problem('no_criterion', `the file has no criterion ${missing.join(', ')}`, {
      remedy: `It has: ${judges.map((judge) => judge.id).join(', ')}.`,
    });
  }
  return wanted === null ? judges : judges.filter((judge) => wanted.includes(judge.id));
}

function draftOf(source: JudgeSource, id: string, group: Named[], choices: DraftChoices): JudgeDraft {
  const [first] = group;
  if (first === undefined) throw new Error('a draft of nothing');
  const { guidelines } = first.judge;
  if (group.length > 50 || guidelines.length > 20_000) {
    throw new Problem(
      'too_much',
      `${source.file}: ${group.length} criteria with ${guidelines.length} characters of guidelines are more than one rubric holds (50 and 20000)`,
      {
        remedy: 'Import a part of them: --criterion a,b.',
        at: [{ file: source.file }],
      },
    );
  }
  const losses = group.flatMap(({ judge }) => judge.losses);
  const params = paramsOf(first.judge, losses);
  return {
    rubric: {
      rubric: id,
      version: 1,
      title: id,
      task: 'Imported: say here what was asked for.',
      ...(guidelines !== '' && { guidelines }),
      criteria: group.map(({ id: criterion, judge }) => ({
        id: criterion,
        question: judge.question,
        scale: judge.scale.scale,
        levels: judge.scale.levels.map((level) => ({
          ...level,
          value: judge.scale.scale === 'ordinal' ? Number(level.value) : level.value,
          anchor: level.anchor ?? '',
        })),
        ...(judge.scale.pass !== undefined && { pass: judge.scale.pass }),
        evidence: { required: true, from: judge.evidence },
        ...(judge.weight !== undefined && judge.weight !== 1 && { weight: judge.weight }),
      })),
    },
    judge: {
      judge: id,
      version: 1,
      rubric: versionRef(id, 1),
      criteria: group.map((one) => one.id),
      ...modelOf(source, first, choices),
      ...(Object.keys(params).length > 0 && { params }),
    },
    losses,
  };
}

type ModelKeys = Pick<z.input<typeof Judge>, 'provider' | 'model' | 'endpoint' | 'allow_floating'>;

function modelOf(
  source: JudgeSource,
  { id, judge }: Named,
  { model: instead, allowFloating }: DraftChoices,
): ModelKeys {
  const named = judge.model;
  if (instead === null && named === null) {
    throw modelProblem(
      'no_model',
      source,
      [],
      `the file names no model for ${id}`,
      'Name one, a dated snapshot: --model provider:model, such as --model anthropic:claude-sonnet-4-5-20250929.',
    );
  }
  const provider = instead?.provider ?? named?.provider ?? null;
  const model = instead?.model ?? named?.model ?? '';
  const at = instead === null ? (named?.at ?? []) : [];
  if (provider === null || model.length > 200) {
    throw modelProblem(
      'unknown_provider',
      source,
      at,
      `"${(named?.text ?? model).slice(0, 200)}" is a model of no provider that we know`,
      'Name the model yourself: --model provider:model; for your own server or a gateway --model openai-compatible:<model> --endpoint <name in touchstone.yaml>.',
    );
  }
  const floating = isFloating(provider, model);
  if (floating && !allowFloating) {
    throw modelProblem(
      'floating_alias',
      source,
      at,
      `"${model}" is a floating alias: another model may answer under it tomorrow`,
      `Name a dated snapshot: --model ${provider}:<snapshot>; or keep it with --allow-floating and do without calibration.`,
    );
  }
  const endpoint = instead?.endpoint ?? null;
  return {
    provider,
    model,
    ...(endpoint !== null && { endpoint }),
    ...(floating && { allow_floating: true }),
  };
}

function modelProblem(
  code: string,
  source: JudgeSource,
  at: KeyPath,
  message: string,
  remedy: string,
): Problem {
  const place = source.place(at);
  return new Problem(code, `${placeText(place)}: ${message}`, { remedy, at: [place] });
}

function valuesOf(params: ForeignJudge['params']): unknown {
  return Object.entries(params).map(([name, param]) => [name, param?.value]);
}

/** Fewest tokens that leave room for our quotes. */
const ROOM = 800;

function paramsOf({ params }: ForeignJudge, losses: Loss[]): z.input<typeof JudgeParams> {
  let fitting: z.input<typeof JudgeParams> = {};
  for (const name of JudgeParams.keyof().options) {
    const param = params[name];
    if (param === undefined || param.value === null) continue;
    const checked = JudgeParams.safeParse({ [name]: param.value });
    if (name === 'max_output_tokens' && typeof param.value === 'number' && param.value < ROOM) {
      losses.push({
        at: param.at,
        why: `${param.value} tokens leave no room for quotes: ${ROOM} are allowed`,
      });
    } else if (checked.success) fitting = { ...fitting, [name]: checked.data[name] };
    else {
      const [issue] = checked.error.issues;
      losses.push({ at: param.at, why: `our judges can't be given it: ${issue?.message ?? 'not valid'}` });
    }
  }
  return fitting;
}
