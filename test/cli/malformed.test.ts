import { describe, expect, it } from 'vitest';
import { cli } from '../support/cli.ts';
import { TONE_JUDGE as JUDGE, TONE_RUBRIC as RUBRIC } from '../support/tone.ts';
import { temporaryWorkspace } from '../support/workspace.ts';

const HEADER =
  '{"label_set":"tone","version":1,"rubric":"tone@1","rubric_hash":"x","dataset":"d","split":{"seed":7,"dev":0,"test":0},"drawn":"all","annotators":0,"created":"2026-01-01T00:00:00.000Z","hash":"sha256:0"}\n';

/** One malformed file each: what is written, where the fault is told, and what is said of it. */
const CASES: { kind: string; file: string; text: string | Buffer; at: string; says: string }[] = [
  {
    kind: 'a tab as indentation',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace('    question', '\tquestion'),
    at: 'rubrics/tone/v1.yaml:7:1',
    says: 'tab',
  },
  {
    kind: 'an unclosed flow mapping',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace("pass: {equals: 'yes'}", "pass: {equals: 'yes'"),
    at: 'rubrics/tone/v1.yaml:13:1',
    says: '}',
  },
  {
    kind: 'a key that stands twice',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace('title: Tone', 'title: Tone\ntitle: Tune'),
    at: 'rubrics/tone/v1.yaml:4:1',
    says: 'unique',
  },
  {
    kind: 'a YAML tag',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace('title: Tone', 'title: !!js/function "x"'),
    at: 'rubrics/tone/v1.yaml:3:8',
    says: 'tag',
  },
  {
    kind: 'an alias bomb',
    file: 'rubrics/tone/v1.yaml',
    text: `a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c, *c]\n`,
    at: 'rubrics/tone/v1.yaml:1:1',
    says: 'alias',
  },
  {
    kind: 'an empty file',
    file: 'rubrics/tone/v1.yaml',
    text: '',
    at: 'rubrics/tone/v1.yaml:1:1',
    says: 'empty',
  },
  {
    kind: 'a missing key',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace('title: Tone\n', ''),
    at: 'rubrics/tone/v1.yaml:1:1 title',
    says: 'missing: expected string',
  },
  {
    kind: 'an unknown key',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace("    pass: {equals: 'yes'}", "    pas: {equals: 'yes'}"),
    at: 'rubrics/tone/v1.yaml:6:5 criteria.0',
    says: 'unknown key "pas"',
  },
  {
    kind: 'an unknown key one level down',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace("{value: 'no', anchor", "{value: 'no', anker"),
    at: 'rubrics/tone/v1.yaml:10:9 criteria.0.levels.0',
    says: 'unknown key "anker"',
  },
  {
    kind: 'a value of the wrong type',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace('version: 1', 'version: one'),
    at: 'rubrics/tone/v1.yaml:2:10 version',
    says: 'expected number',
  },
  {
    kind: 'a scale that there is not',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace('scale: binary', 'scale: stars'),
    at: 'rubrics/tone/v1.yaml:8:12 criteria.0.scale',
    says: '"ordinal"',
  },
  {
    kind: 'two criteria of one id',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC + RUBRIC.slice(RUBRIC.indexOf('  - id')),
    at: 'rubrics/tone/v1.yaml:13:9 criteria.1.id',
    says: '"polite" stands twice',
  },
  {
    kind: 'ordinal levels with a gap',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace('binary', 'ordinal')
      .replace("'no'", '1')
      .replace("'yes', a", '3, a')
      .replace("equals: 'yes'", 'at_least: 3'),
    at: 'rubrics/tone/v1.yaml:11:17 criteria.0.levels.1.value',
    says: 'consecutive integers',
  },
  {
    kind: 'a pass rule that names no level',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace("pass: {equals: 'yes'}", "pass: {equals: 'maybe'}"),
    at: 'rubrics/tone/v1.yaml:12:11 criteria.0.pass',
    says: '"maybe" is not a level; the levels are no, yes',
  },
  {
    kind: 'a file that says another version',
    file: 'rubrics/tone/v1.yaml',
    text: RUBRIC.replace('version: 1', 'version: 2'),
    at: 'rubrics/tone/v1.yaml:2:10 version',
    says: 'says version: 2',
  },
  {
    kind: 'a key of the prototype',
    file: 'rubrics/tone/v1.yaml',
    text: `${RUBRIC}__proto__: {x: 1}\n`,
    at: 'rubrics/tone/v1.yaml:13:1 __proto__',
    says: 'not allowed',
  },
  {
    kind: 'a floating model alias',
    file: 'judges/polite/v1.yaml',
    text: JUDGE.replace('-20250929', ''),
    at: 'judges/polite/v1.yaml:6:8 model',
    says: 'floating alias',
  },
  {
    kind: 'a judge of a criterion that there is not',
    file: 'judges/polite/v1.yaml',
    text: JUDGE.replace('[polite]', '[rude]'),
    at: 'judges/polite/v1.yaml:4:12 criteria.0',
    says: 'no criterion "rude"',
  },
  {
    kind: 'a judge with an unknown provider',
    file: 'judges/polite/v1.yaml',
    text: JUDGE.replace('anthropic', 'anthropics'),
    at: 'judges/polite/v1.yaml:5:11 provider',
    says: '"anthropic"',
  },
  {
    kind: 'a broken line in a label set',
    file: 'labels/tone/v1.jsonl',
    text: `${HEADER}{"sample": \n`,
    at: 'labels/tone/v1.jsonl:2:1',
    says: 'JSON',
  },
  {
    kind: 'a key in the settings instead of its variable’s name',
    file: 'touchstone.yaml',
    text: 'name: test\nendpoints:\n  mine: {base_url: "http://127.0.0.1:1/v1", api_key_env: "sk-secret"}\n',
    at: 'touchstone.yaml:3:58 endpoints.mine.api_key_env',
    says: 'NAME of an environment variable',
  },
  {
    kind: 'settings with an unknown key',
    file: 'touchstone.yaml',
    text: 'name: test\nendpoint: {}\n',
    at: 'touchstone.yaml:1:1',
    says: 'unknown key "endpoint"',
  },
  {
    kind: 'a file that is not UTF-8',
    file: 'touchstone.yaml',
    text: Buffer.from('name: caf\u00e9\n', 'latin1'),
    at: 'touchstone.yaml',
    says: 'not UTF-8',
  },
];

describe.concurrent('a malformed workspace file is told with its place, what was expected, and exit code 2', () => {
  for (const { kind, file, text, at, says } of CASES) {
    it(kind, async () => {
      await using workspace = temporaryWorkspace({
        'rubrics/tone/v1.yaml': RUBRIC,
        'judges/polite/v1.yaml': JUDGE,
      });
      workspace.write(file, text);
      const { code, stdout, stderr } = await cli(['check'], workspace.root);
      const said = stdout + stderr;
      expect(said).toContain(at);
      expect(said.toLowerCase()).toContain(says.toLowerCase());
      expect(said).toContain('→');
      expect(said).not.toMatch(/\n\s+at .*\(/);
      expect(code).toBe(2);
    }, 60_000);
  }

  it('a workspace in order passes', async () => {
    await using workspace = temporaryWorkspace({
      'rubrics/tone/v1.yaml': RUBRIC,
      'judges/polite/v1.yaml': JUDGE,
    });
    const { code, stdout } = await cli(['check'], workspace.root);
    expect(stdout).toContain('all');
    expect(code).toBe(0);
  }, 60_000);
});
