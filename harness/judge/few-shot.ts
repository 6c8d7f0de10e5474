import { Problem } from '../../core/problem.ts';
import type { Sample } from '../../core/sample.ts';

/** A sample whose answer is shown in the prompt, with the value it has on each criterion that shows it. */
export interface FewShot {
  sample: Sample;
  values: Record<string, string>;
}

/**
 * Checks that the few-shots handed in are the very ones that the judge's hash was made with.
 * @param hashes content hash by sample id, from the resolved judge.
 * @throws Problem `few_shot_missing` or `few_shot_changed`.
 */
export function checkFewShots(hashes: Record<string, string>, examples: readonly FewShot[]): void {
  const given = new Map(examples.map((example) => [example.sample.id, example.sample.content_hash]));
  for (const [id, hash] of Object.entries(hashes)) {
    const found = given.get(id);
    if (found === undefined) {
      throw new Problem('few_shot_missing', `the few-shot example ${id} is not among the samples`, {
        remedy: 'Import the dataset that holds it, or drop it from the rubric and make the next version.',
      });
    }
    if (found !== hash) {
      throw new Problem('few_shot_changed', `the few-shot example ${id} no longer has the content it had`, {
        remedy: 'Make the next version of the judge: its hash covers the examples.',
        details: [`then ${hash}`, `now ${found}`],
      });
    }
  }
}
