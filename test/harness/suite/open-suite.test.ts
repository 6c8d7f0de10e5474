import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Problem } from '../../../core/problem.ts';
import { suiteWarnings } from '../../../harness/suite/lint.ts';
import { openAgent, openSuite } from '../../../harness/suite/open-suite.ts';
import { runSuite } from '../../../harness/suite/run-suite.ts';
import { suiteHash } from '../../../harness/suite/suite-hash.ts';
import { listSuites } from '../../../harness/workspace/suites.ts';
import { temporaryWorkspace } from '../../support/workspace.ts';
import { COUNTER } from './counter.ts';
import { NO_JUDGES } from './shop.ts';

// Opening translates TypeScript, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** The Problem of opening the counter suite with some files changed, as a person reads it. */
async function problemOf(files: Record<string, string>, id = 'counter'): Promise<string> {
  await using workspace = temporaryWorkspace({ ...COUNTER, ...files });
  const error = await openSuite(workspace, id).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw error ?? new Error('it opened');
  return [`${error.code} ${error.message}`, ...error.details].join('\n');
}

/** The same for one task, whose text is given from `must` on. */
const taskProblem = (rules: string, seed = 'fixtures/zero.json') =>
  problemOf({
    'suites/counter/tasks/up.yaml': `id: up\ninput: Count up.\nseed_state: ${seed}\n${rules}\n`,
  });

describe('a suite', () => {
  it('opens with its tools, its tasks and their seed states, frozen', async () => {
    await using workspace = temporaryWorkspace(COUNTER);
    const open = await openSuite(workspace, 'counter');
    expect(open.tasks.map(({ task, file }) => [task.id, file])).toEqual([
      ['up', 'suites/counter/tasks/up.yaml'],
    ]);
    expect(open.tasks[0]?.seed).toEqual({ count: 0, label: 'none' });
    expect(Object.isFrozen(open.tasks[0]?.seed)).toBe(true);
    expect(Object.keys(open.sources)).toEqual(['suites/counter/tools.ts', 'suites/counter/step.ts']);
  });

  it('takes both shapes in which people write must, as YAML and as JSON', async () => {
    const event = 'counter.changed';
    await using workspace = temporaryWorkspace({
      ...COUNTER,
      'suites/counter/tasks/tuples.json': JSON.stringify({
        id: 'tuples',
        input: 'Count up.',
        seed_state: { count: 4 },
        must: [[event, { by_lte: 1.0 }]],
        must_not: [event],
      }),
    });
    const open = await openSuite(workspace, 'counter');
    expect(open.tasks.map(({ task }) => task.must)).toEqual([
      [{ event, where: { by_lte: 1 } }],
      [{ event, where: { by: 1, direction: 'up' } }],
    ]);
    expect(open.tasks[0]?.task.must_not).toEqual([{ event, where: {} }]);
  });

  it('runs with an agent that begins anew in each trial: nothing of a module outlives it', async () => {
    await using workspace = temporaryWorkspace(COUNTER);
    const open = await openSuite(workspace, 'counter');
    const report = await runSuite(open, {
      agent: await openAgent(workspace, open.suite),
      judges: NO_JUDGES,
      now: Date.now,
      newToken: () => 't',
    });
    expect(report.outcomes.passed).toBe(2);
    expect(report.agent).toBe('agent.ts');
  });

  it('changes its hash with its tools’ source, imports included, and with a fixture', async () => {
    const hashOf = async (files: Record<string, string>) => {
      await using workspace = temporaryWorkspace({ ...COUNTER, ...files });
      return suiteHash(await openSuite(workspace, 'counter'), []);
    };
    const base = await hashOf({});
    expect(await hashOf({ 'suites/counter/agent.ts': 'export default async () => {};' })).toBe(base);
    expect(await hashOf({ 'suites/counter/step.ts': 'export const step = 1; //' })).not.toBe(base);
    expect(await hashOf({ 'suites/counter/fixtures/zero.json': '{"count": 1}' })).not.toBe(base);
  });

  it('is listed where its folder holds a suite.yaml', async () => {
    await using workspace = temporaryWorkspace({ ...COUNTER, 'suites/notes/readme.txt': '' });
    expect(listSuites(workspace)).toEqual(['counter']);
    await using empty = temporaryWorkspace();
    expect(listSuites(empty)).toEqual([]);
  });

  it('that there is none of is refused with the names of those there are', async () => {
    expect(await problemOf({}, 'nope')).toBe('no_suite there is no suite "nope"');
    expect(await problemOf({}, '../counter')).toBe('no_suite there is no suite "../counter"');
  });
});

describe('a check that can never speak is an error with its line', () => {
  it.each([
    [
      'must:\n  - counter.reset: {}',
      'suites/counter/tasks/up.yaml:5:20 must.0.counter.reset: no tool can cause "counter.reset"; the tools module declares counter.changed',
    ],
    [
      'must_not:\n  - counter.changed\n  - counter.burst',
      'suites/counter/tasks/up.yaml:6:5 must_not.1.counter.burst: no tool can cause "counter.burst"; the tools module declares counter.changed',
    ],
    [
      'must:\n  - counter.changed:\n      amount_gt: 1',
      'suites/counter/tasks/up.yaml:6:18 must.0.counter.changed.amount_gt: the event has no field "amount"; it has by, direction',
    ],
    [
      'must:\n  - counter.changed: {by: "1"}',
      'suites/counter/tasks/up.yaml:5:27 must.0.counter.changed.by: "by" can never be "1"',
    ],
    [
      'must_not:\n  - counter.changed: {direction_in: [up, sideways]}',
      'suites/counter/tasks/up.yaml:5:37 must_not.0.counter.changed.direction_in: "direction" can never be "sideways"',
    ],
    [
      'must:\n  - counter.changed: {_count: 0}',
      'suites/counter/tasks/up.yaml:5:5 must.0: holds where nothing happened; say it in must_not',
    ],
    [
      'must:\n  - counter.changed: {direction_matches: "(up"}',
      'suites/counter/tasks/up.yaml:5:42 must.0.counter.changed.direction_matches: direction_matches: Invalid regular expression: /(up/u: Unterminated group',
    ],
    [
      'must:\n  - state.total: {_eq: 1}',
      'suites/counter/tasks/up.yaml:5:18 must.0.state.total: the state has no "total"; it has count, label',
    ],
    [
      'tags: {kind: normal}',
      'suites/counter/tasks/up.yaml:1:1: the task checks nothing: say what must or must_not happen',
    ],
    [
      'trajectory: {no_repeats: true}',
      'suites/counter/tasks/up.yaml:1:1: the task checks nothing: say what must or must_not happen',
    ],
    [
      'trajectory:\n  forbid: [subtract]',
      'suites/counter/tasks/up.yaml:5:12 trajectory.forbid.0: there is no tool "subtract"; there are add',
    ],
    [
      'trajectory:\n  before: [{first: ask, then: add}]',
      'suites/counter/tasks/up.yaml:5:20 trajectory.before.0.first: there is no tool "ask"; there are add',
    ],
    [
      'must: [counter.changed]\nfaults: [{tool: sub, call: 1, error: timeout}]',
      'suites/counter/tasks/up.yaml:5:17 faults.0.tool: there is no tool "sub"; there are add',
    ],
    [
      'must: [counter.changed]\nmay_change: [counts]',
      'suites/counter/tasks/up.yaml:5:14 may_change.0: the state has no "counts"; it has count, label',
    ],
    [
      'must: [counter.changed]\nmax_steps: 51',
      'suites/counter/tasks/up.yaml:5:12 max_steps: above limits.steps of the suite (50): it could never be broken',
    ],
  ])('%j', async (rules, expected) => {
    expect((await taskProblem(rules)).split('\n')[0]).toBe(`bad_tasks ${expected}`);
  });

  it('also of a name in suite.yaml that no tool has', async () => {
    const suite = `${COUNTER['suites/counter/suite.yaml']}high_risk: [add, send]\njudges: [{judge: tone@1, on: letter}]\n`;
    expect(await problemOf({ 'suites/counter/suite.yaml': suite })).toBe(
      [
        'bad_file suites/counter/suite.yaml:7:18 high_risk.1: there is no tool "send"; there are add',
        'suites/counter/suite.yaml:8:30 judges.0.on: there is no artifact "letter"; there are note, final',
      ].join('\n'),
    );
  });

  it('tells the faults of all tasks at once', async () => {
    const problem = await problemOf({
      'suites/counter/tasks/a.yaml': 'id: a\ninput: x\nseed_state: {count: 0}\n',
      'suites/counter/tasks/b.yaml': 'id: b\ninput: x\n',
    });
    expect(problem).toContain('a.yaml:1:1: the task checks nothing');
    expect(problem).toContain('b.yaml:1:1 seed_state: ');
  });
});

describe('a seed state', () => {
  it('has to be a state of the tools', async () => {
    const rules = 'must: [counter.changed]';
    expect(await taskProblem(rules, '{count: "0"}')).toContain(
      'the seed state is no state of the tools: count: Invalid input: expected number, received string',
    );
    expect(await taskProblem(rules, 'fixtures/none.json')).toContain('there is no fixtures/none.json');
  });

  it('has to lie below suites/, links followed', async () => {
    const rules = 'must: [counter.changed]';
    expect(await taskProblem(rules, '../../touchstone.yaml')).toContain('leads out of suites/');
    expect(await taskProblem(rules, '/etc/passwd')).toContain('leads out of suites/');
    await using workspace = temporaryWorkspace({
      ...COUNTER,
      'suites/counter/tasks/up.yaml': `id: up\ninput: x\nseed_state: fixtures/link.json\n${rules}\n`,
    });
    writeFileSync(join(workspace.root, 'outside.json'), '{"count": 0}');
    symlinkSync(
      join(workspace.root, 'outside.json'),
      join(workspace.root, 'suites/counter/fixtures/link.json'),
    );
    await expect(openSuite(workspace, 'counter')).rejects.toThrow('leads out of suites/');
  });

  it('may stand in another suite’s folder', async () => {
    await using workspace = temporaryWorkspace({
      ...COUNTER,
      'suites/other/suite.yaml':
        'suite: other\nversion: 1\nagent: {run: ../counter/agent.ts}\ntools: ../counter/tools.ts\n',
      'suites/other/tasks/up.yaml':
        'id: up\ninput: x\nseed_state: ../counter/fixtures/zero.json\nmust: [counter.changed]\n',
    });
    expect((await openSuite(workspace, 'other')).tasks).toHaveLength(1);
  });
});

describe('a module', () => {
  it.each([
    ['export default {};', 'its default export is not made by defineTools({…})'],
    ['export const x = 1;', 'its default export is not made by defineTools({…})'],
    ['export default (;', "can't be loaded"],
    ["import './nowhere.ts'; export default 1;", "can't be loaded"],
  ])('of tools: %s', async (source, expected) => {
    const problem = await problemOf({ 'suites/counter/tools.ts': source });
    expect(problem).toMatch(/^bad_module suites\/counter\/tools\.ts/);
    expect(problem).toContain(expected);
  });

  it('of tools may not take the sandbox’s own names, and has to describe its arguments', async () => {
    const tools = COUNTER['suites/counter/tools.ts'];
    const change = (from: string, to: string) =>
      problemOf({ 'suites/counter/tools.ts': tools.replace(from, to) });
    expect(await change('add: {', 'request_approval: {')).toContain('"request_approval" is the sandbox');
    expect(await change("'counter.changed'", "'call.unapproved'")).toContain(
      '"call.unapproved" is the sandbox',
    );
    expect(await change("'counter.changed'", "'state.changed'")).toContain('reads like a path of the state');
    expect(await change('note: {', 'final: {')).toContain("is the agent's own last words");
    expect(await change('z.number().int() })', 'z.number().transform(String) })')).toContain(
      'no JSON Schema',
    );
  });

  it('of an agent has to be a function, below suites/, and one of those that the suite names', async () => {
    await using workspace = temporaryWorkspace({
      ...COUNTER,
      'suites/counter/agent.ts': 'export default 7;',
    });
    const { suite } = await openSuite(workspace, 'counter');
    await expect(openAgent(workspace, suite)).rejects.toThrow('its default export is no function');
    await expect(openAgent(workspace, suite, 'other')).rejects.toThrow('suite counter has no agent "other"');
    await expect(openAgent(workspace, suite, 'constructor')).rejects.toThrow('has no agent "constructor"');
    await expect(
      openAgent(workspace, { ...suite, agent: { run: '../../agent.ts', protocol: 'module' } }),
    ).rejects.toThrow('leads out of suites/');
    expect((await openAgent(workspace, suite, 'idle')).name).toBe('idle');
  });
});

describe('other faults of a suite’s folder', () => {
  it('are told apart', async () => {
    expect(
      await problemOf({
        'suites/counter/suite.yaml': 'suite: other\nversion: 1\nagent: {run: a}\ntools: b\n',
      }),
    ).toBe('misnamed suites/counter/suite.yaml says that it is suite "other"');
    expect(
      await problemOf({ 'suites/counter/tasks/again.yaml': COUNTER['suites/counter/tasks/up.yaml'] }),
    ).toBe('duplicate_task suites/counter/tasks/up.yaml has the id "up" of suites/counter/tasks/again.yaml');
    await using workspace = temporaryWorkspace({ ...COUNTER });
    mkdirSync(join(workspace.root, 'suites/empty'));
    writeFileSync(
      join(workspace.root, 'suites/empty/suite.yaml'),
      'suite: empty\nversion: 1\nagent: {run: ../counter/agent.ts}\ntools: ../counter/tools.ts\n',
    );
    await expect(openSuite(workspace, 'empty')).rejects.toThrow('suites/empty/tasks/ holds no task');
  });
});

describe('lint', () => {
  it('warns of what a suite may do and had better not', async () => {
    await using workspace = temporaryWorkspace({
      ...COUNTER,
      'suites/counter/suite.yaml': `${COUNTER['suites/counter/suite.yaml']}strata: [kind]\n`,
      'suites/counter/tasks/never.yaml':
        'id: never\ninput: x\nseed_state: {count: 0}\ntags: {kind: attack}\nmust_not: [counter.changed]\n',
    });
    expect(suiteWarnings(await openSuite(workspace, 'counter'))).toEqual([
      'suites/counter/tasks/never.yaml: says only what must not happen; an agent that does nothing is ungraded',
      "suites/counter/tasks/never.yaml: an attack needs the user's goal in must and the attacker's in must_not",
      'suites/counter/tasks/up.yaml: has no tag kind, which strata names',
      'no task of kind refuse',
      '2 tasks: intervals will be wide',
      'high_risk is empty: no call needs an approval',
      'gate.pass_rate_low_at_least is not set: a run with failed trials is inconclusive',
    ]);
  });

  it('warns of a rate that so few tasks can never reach', async () => {
    await using workspace = temporaryWorkspace(COUNTER);
    const open = await openSuite(workspace, 'counter');
    const [first] = open.tasks;
    const tasks = Array.from({ length: 8 }, () => first).filter((task) => task !== undefined);
    const rateWarnings = (least: number) => {
      const suite = { ...open.suite, gate: { ...open.suite.gate, pass_rate_low_at_least: least } };
      return suiteWarnings({ ...open, suite, tasks }).filter((warning) => warning.includes('low_at_least'));
    };
    expect(rateWarnings(0.58)).toEqual([]);
    expect(rateWarnings(0.6)).toEqual([
      'gate.pass_rate_low_at_least is 0.6, and 8 tasks that all pass reach 0.59: it always fails',
    ]);
  });
});
