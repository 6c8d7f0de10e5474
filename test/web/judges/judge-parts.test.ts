import { expect, test } from 'vitest';
import { loadJudge } from '../../../harness/workspace/judges.ts';
import { partsOf } from '../../../web/judges/judge-parts.ts';
import { exampleWorkspace } from '../../support/workspace.ts';

function partsFrom(workspace: Parameters<typeof loadJudge>[0], ref: string) {
  const { judge, rubric, promptText, examples } = loadJudge(workspace, ref);
  return partsOf({ judge, rubric, prompt_text: promptText, examples });
}

test('every part of a judge’s hash is there as lines: file with its defaults, rubric by the names of its criteria, prompt, few-shots', async () => {
  await using workspace = exampleWorkspace();
  const [file, rubric, prompt, shots] = partsFrom(workspace, 'refund-accuracy@1');
  expect(file?.text.split('\n')).toEqual(
    expect.arrayContaining([
      'criteria: accuracy',
      'params.temperature: 0',
      'params.seed: none',
      'evidence.reask: 1',
    ]),
  );
  expect(rubric?.text).toMatch(/^criteria\.accuracy\.levels\.3\.anchor: .+$/m);
  expect(prompt?.text).toContain('{{sample}}');
  expect(shots?.text).toBe('');
});
