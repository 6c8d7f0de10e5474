import { type Command, CommanderError } from 'commander';
import { Problem, problemText } from '../core/problem.ts';
import { plainText } from '../harness/report/plain-text.ts';

/** Runs a command; a Problem is shown with its remedy and sets the exit code, anything else is a bug with its stack. */
export async function runCommand(load: () => Promise<Command>, args: string[]): Promise<void> {
  try {
    const command = await load();
    guardExits(command);
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof Problem) showProblem(error);
    else throw error;
  }
}

export function unknownCommand(name: string, names: string[]): void {
  showProblem(
    new Problem('unknown_command', `there is no command "${plainText(name)}"`, {
      remedy: `Commands: ${names.join(', ')}.`,
    }),
  );
}

/** Usage errors throw, so that they leave with code 2 like every other mistake in what was asked. */
function guardExits(command: Command): void {
  command.exitOverride();
  for (const inner of command.commands) guardExits(inner);
}

function showProblem(problem: Problem): void {
  process.stderr.write(`error: ${plainText(problemText(problem.report()))}\n`);
  process.exitCode = problem.exitCode;
}
