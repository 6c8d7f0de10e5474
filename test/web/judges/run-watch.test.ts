import { expect, test } from 'vitest';
import type { Answer, RunDetail } from '../../../web/api.ts';
import { RunWatch } from '../../../web/judges/run-watch.svelte.ts';

const run = (state: RunDetail['state']): Answer<RunDetail> => ({
  ok: true,
  value: {
    id: 'run_1',
    judge: 'j@1',
    dataset: 'd',
    simulated: false,
    state,
    why: '',
    planned: 9,
    sent: 9,
    answered: 9,
    cost_usd: null,
    limit: null,
    budget_usd: null,
    started_at: '',
    ended_at: null,
    live: null,
    report: null,
  },
});
const away: Answer<RunDetail> = {
  ok: false,
  status: 0,
  problem: { code: 'no_server', message: 'away', remedy: '' },
};

function watching(answers: Answer<RunDetail>[]) {
  const waits: (() => void)[] = [];
  const seen = { asked: 0, ended: 0 };
  const watch = new RunWatch({
    fetch: async () => answers[seen.asked++] ?? away,
    later: (_, next) => {
      waits.push(next);
      return () => void waits.splice(waits.indexOf(next), 1);
    },
    onended: () => seen.ended++,
  });
  const turn = async () => {
    waits.shift()?.();
    for (let step = 0; step < 5; step++) await Promise.resolve();
  };
  return { watch, seen, turn, waits };
}

test('looks until the run has ended, then tells so once', async () => {
  const { watch, seen, turn, waits } = watching([run('running'), run('running'), run('done')]);
  watch.follow('run_1');
  for (let step = 0; step < 5; step++) await turn();
  expect([seen, watch.run?.state, waits]).toEqual([{ asked: 3, ended: 1 }, 'done', []]);
});

test('a server that is away for a while ends nothing', async () => {
  const { watch, turn } = watching([run('running'), away, run('stopped')]);
  watch.follow('run_1');
  await turn();
  await turn();
  expect([watch.problem?.code, watch.run?.state]).toEqual(['no_server', 'running']);
  await turn();
  expect([watch.problem, watch.run?.state]).toEqual([null, 'stopped']);
});

test('stopped, it looks no more', async () => {
  const { watch, seen, turn } = watching([run('running'), run('running')]);
  watch.follow('run_1');
  await turn();
  watch.stop();
  await turn();
  expect(seen.asked).toBe(1);
});
