import type { Json } from '../../core/json.ts';
import type { ProviderName } from '../../core/judge.ts';
import type { EvidenceSource } from '../../core/rubric.ts';
import type { PassRule, ScaleKind } from '../../core/scale.ts';

/** Where a value stands in a foreign file. */
export type KeyPath = readonly (string | number)[];

/** Something of a foreign judge that ours can't hold. */
export interface Loss {
  at: KeyPath;
  why: string;
}

/** The levels of a foreign judge in our terms. */
export interface ForeignScale {
  scale: ScaleKind;
  levels: { value: string; name?: string; anchor?: string }[];
  pass?: PassRule;
}

/** The model that a foreign judge names, as the file spells it and as we would call it. */
export interface ForeignModel {
  at: KeyPath;
  text: string;
  /** Null where we know no provider of that name. */
  provider: ProviderName | null;
  model: string;
}

/** Sampling settings of a foreign judge, as the file says them: unchecked, each with where it stands. */
export interface ForeignParam {
  at: KeyPath;
  value: Json;
}

/** One judge of another tool in our words. What its file says beyond that stands among the losses. */
export interface ForeignJudge {
  name: string;
  question: string;
  scale: ForeignScale;
  weight?: number;
  /** What a quote may come from. */
  evidence: EvidenceSource[];
  /** The prompt's text, placeholders turned into words; empty where the file has none. */
  guidelines: string;
  model: ForeignModel | null;
  params: Partial<Record<'temperature' | 'max_output_tokens' | 'reasoning_effort' | 'seed', ForeignParam>>;
  repeats?: number;
  losses: Loss[];
}
