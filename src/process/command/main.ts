import { CommanderError } from 'commander';
import { ConfigError } from '../../platform/config/config.js';
import { lineOf } from '../cli/shell-command.js';
import { isConfiguration } from '../fail-start.js';
import { EXIT_CONFIG } from '../node-version.js';
import { EXIT, UsageError } from './exit-status.js';
import { Interruption } from './interruption.js';
import { createProgram } from './program.js';

/** Runs the command `workflow-gateway` with its arguments, and sets the exit status of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  // The reader of a pipe, e.g. `head`, has seen enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed),
  );
  const interruption = new Interruption();
  try {
    await createProgram(interruption).parseAsync(argv, { from: 'user' });
  } catch (error) {
    process.exitCode = interruption.status ?? statusOf(error);
    if (interruption.status === undefined) report(error);
  } finally {
    interruption.end();
  }
}

/** Commander reports its own errors itself; help and the version arrive as errors with the status 0. */
function statusOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  if (error instanceof UsageError) return EXIT.wrongUse;
  return isConfiguration(error) ? EXIT_CONFIG : EXIT.failed;
}

function report(error: unknown): void {
  if (error instanceof CommanderError) return;
  if (error instanceof ConfigError) {
    process.stderr.write(`The configuration has ${error.faults.length} error(s), nothing was done:\n`);
    for (const fault of error.faults) process.stderr.write(`  ${fault}\n`);
  } else process.stderr.write(`error: ${lineOf(error)}\n`);
}
