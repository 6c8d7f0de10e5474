import { z } from 'zod';

/** A prompt or an instruction of a stranger's file; as long as guidelines may be. */
export const PromptText = z.string().trim().min(1).max(18_000);

/** What a level is called. */
export const ChoiceText = z.string().trim().min(1).max(200);

/** Choices that a judge may answer; each stands once. */
export const ChoiceList = z
  .array(ChoiceText)
  .min(2)
  .max(20)
  .refine((choices) => new Set(choices).size === choices.length, 'each choice stands once');

/** Scores by choice. */
export const ChoiceScores = z.record(ChoiceText, z.number()).refine((scores) => {
  const n = Object.keys(scores).length;
  return n >= 2 && n <= 20;
}, 'expected 2 to 20 choices, each with its score');
