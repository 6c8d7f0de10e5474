import { describe, expect, it } from 'vitest';
import { checkFewShots } from '../../../harness/judge/few-shot.ts';
import { sampleOf, single } from './fixture.ts';

const sample = sampleOf(single());
const example = { sample, values: {} };

describe('few-shots', () => {
  it('are the samples that the judge was hashed with', () => {
    expect(() => checkFewShots({ [sample.id]: sample.content_hash }, [example])).not.toThrow();
    expect(() => checkFewShots({}, [example])).not.toThrow();
  });

  it('are refused where one is missing or has changed', () => {
    expect(() => checkFewShots({ [sample.id]: sample.content_hash }, [])).toThrow('is not among the samples');
    expect(() => checkFewShots({ [sample.id]: 'sha256:else' }, [example])).toThrow(
      'no longer has the content',
    );
  });
});
