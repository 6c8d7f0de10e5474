import { Problem } from '../core/problem.ts';
import { RecordingHeader } from '../core/recording.ts';
import { type Recorded, recordReplies } from '../harness/judge/record.ts';
import { createRedactor } from '../harness/provider/redact.ts';
import { loadJudge } from '../harness/workspace/judges.ts';
import { saveRecording } from '../harness/workspace/recordings.ts';
import { fewShots } from './judge-inputs.ts';
import type { Services } from './services.ts';

/** What was written, and where. */
export interface WrittenRecording extends Omit<Recorded, 'replies'> {
  file: string;
  replies: number;
}

/**
 * Writes the stored replies of a judge over a dataset to `recordings/<name>.jsonl`, without any key.
 * @throws Problem where the judge calls no model, or has answered nothing of the dataset.
 */
export function recordJudge(
  { workspace, store, now }: Pick<Services, 'workspace' | 'store' | 'now'>,
  { judge: ref, dataset, name }: { judge: string; dataset: string; name?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): WrittenRecording {
  const { id } = store.samples.dataset(dataset);
  const hashOf = (sample: string) => store.samples.find(sample)?.sample.content_hash ?? null;
  const loaded = loadJudge(workspace, ref, hashOf);
  const provider = RecordingHeader.shape.provider.safeParse(loaded.judge.provider);
  if (!provider.success) {
    throw new Problem('no_replies', `${ref} calls no model (${loaded.judge.provider}): it has no replies`, {
      remedy: 'Record a judge of a model.',
    });
  }
  const secrets = Object.entries(env).flatMap(([key, value]) =>
    /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(key) ? [value?.trim() ?? ''] : [],
  );
  const { replies, ...counts } = recordReplies({
    resolved: loaded,
    provider: provider.data,
    examples: fewShots(store, loaded),
    samples: [...store.samples.all(id)].map(({ sample }) => sample),
    stored: (keys) => store.runs.replies(keys),
    redact: createRedactor(secrets),
  });
  if (replies.length === 0) {
    throw new Problem('no_replies', `${ref} has answered nothing of ${dataset} that could be recorded`, {
      remedy: `Run it first: touchstone judge run ${ref} --dataset ${dataset}.`,
    });
  }
  const header = {
    recording: name ?? loaded.judge.judge,
    judge: ref,
    judge_hash: loaded.hash,
    dataset,
    provider: provider.data,
    model: loaded.judge.model,
    simulated: loaded.simulated || env.TOUCHSTONE_SIMULATED === '1',
    replies: replies.length,
    at: now().toISOString(),
  };
  return { ...counts, replies: replies.length, file: saveRecording(workspace.root, { header, replies }) };
}
