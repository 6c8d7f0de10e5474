import { createReadStream } from 'node:fs';
import { nativeDigest } from '../../../harness/digest.ts';
import { parseMapping } from '../../../harness/formats/in/mapping.ts';
import { loadRubric } from '../../../harness/workspace/rubrics.ts';
import { importFile } from '../../../server/import.ts';
import { type RunningServer, serve } from '../../../server/main.ts';
import type { Services } from '../../../server/services.ts';
import { exampleWorkspace, type TemporaryWorkspace } from '../../support/workspace.ts';

/** The real server over a copy of the example workspace, which can be stopped and started again on its port. */
export interface TestWorkbench extends AsyncDisposable {
  workspace: TemporaryWorkspace;
  url: string;
  services: () => Services;
  link: () => string;
  stop: () => Promise<void>;
  start: () => Promise<void>;
}

const DATASETS = [
  { name: 'refund-replies', kind: 'single', rubric: 'refund-reply@1' },
  { name: 'refund-pairs', kind: 'pair', rubric: 'refund-pair@1' },
] as const;

export interface WorkbenchOptions {
  /** Without the example's own datasets. */
  empty?: boolean;
  /** Where the simulator that its simulated judges ask listens. */
  simulator?: string;
}

export async function testWorkbench({
  empty = false,
  simulator,
}: WorkbenchOptions = {}): Promise<TestWorkbench> {
  const workspace = exampleWorkspace(simulator === undefined ? {} : { simulator });
  const errors: unknown[] = [];
  const open = (port: number) =>
    serve({
      workspace,
      host: '127.0.0.1',
      port,
      env: {},
      now: () => new Date(),
      report: (_, error) => errors.push(error),
      ...(!empty && port === 0 && { prepare: (services: Services) => importExamples(services, workspace) }),
    });
  let server: RunningServer = await open(0);
  let running = true;
  const { url } = server;
  const stop = async () => {
    if (running) await server.stop();
    running = false;
  };
  return {
    workspace,
    url,
    services: () => server.services,
    link: () => server.link(),
    stop,
    start: async () => {
      server = await open(Number(new URL(url).port));
      running = true;
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await workspace[Symbol.asyncDispose]();
      if (errors.length > 0) throw new AggregateError(errors, 'the server met unexpected errors');
    },
  };
}

async function importExamples({ store, now }: Services, workspace: TemporaryWorkspace): Promise<void> {
  for (const { name, kind, rubric } of DATASETS) {
    const file = workspace.path(`labels/${name}/samples.jsonl`);
    await importFile(store, createReadStream(file), {
      dataset: name,
      format: 'jsonl',
      kind,
      mapping: parseMapping([]),
      criterion: null,
      rubric: loadRubric(workspace, rubric).rubric,
      digest: nativeDigest,
      now: now().toISOString(),
    });
  }
}
