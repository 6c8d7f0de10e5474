import { Command } from 'commander';
import { openWorkspace } from '../harness/workspace/workspace.ts';
import { importConfigured } from '../server/configured-datasets.ts';
import { serve } from '../server/main.ts';
import { WORKSPACE } from './workspace-option.ts';

interface Options {
  host: string;
  port?: number;
  workspace: string;
}

/** `touchstone serve`: the workbench of a workspace, until it is stopped. */
export function command(): Command {
  return new Command('serve')
    .description('Open the workbench. Prints a link that signs one browser in, once.')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'default: the workspace’s, else 4646; 0 takes any free one', Number)
    .option(...WORKSPACE)
    .action(async (options: Options) => {
      const workspace = openWorkspace(options.workspace);
      const server = await serve({
        workspace,
        host: options.host,
        port: options.port ?? workspace.config.server.port,
        env: process.env,
        now: () => new Date(),
        prepare: async (services) => {
          for (const report of await importConfigured(services)) {
            process.stderr.write(
              `${report.dataset}: ${report.added} samples imported${report.rejected > 0 ? `, ${report.rejected} rows left out` : ''}\n`,
            );
          }
        },
        report: (id, error) =>
          process.stderr.write(
            `error ${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
          ),
      });
      process.stdout.write(
        `${workspace.config.name}: open this link in a browser (it works once)\n\n  ${server.link()}\n\nCtrl-C stops.\n`,
      );
      await stopped(server.stop, () => process.stdout.write(`\nA new link:\n\n  ${server.link()}\n\n`));
    });
}

/** Resolves when the first signal has stopped the server; a second one ends at once; Enter prints a new link. */
async function stopped(stop: () => Promise<void>, link: () => void): Promise<void> {
  if (process.stdin.isTTY) {
    process.stdin.on('data', link);
    process.stdin.unref();
  }
  await new Promise<void>((resolve, reject) => {
    const onSignal = () => {
      process.stderr.write('stopping; once more to end at once\n');
      process.once('SIGINT', () => process.exit(130));
      process.once('SIGTERM', () => process.exit(130));
      stop().then(resolve, reject);
    };
    process.once('SIGINT', onSignal);
    process.once('SIGTERM', onSignal);
  });
  process.stdin.pause();
}
