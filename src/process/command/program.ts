import { Command } from 'commander';
import { packageVersion } from '../../platform/backup/service-version.js';
import { addBackup } from './backup.command.js';
import { type Interruption } from './interruption.js';
import { addDoctor } from './doctor.command.js';
import { addKeys } from './keys.command.js';
import { addMove } from './move.command.js';
import { addRestore } from './restore.command.js';
import { addStart } from './start.command.js';
import { addUsers } from './users.command.js';

const STATUSES = `
Exit status: 0 done, 1 failed, 2 wrong use, 78 configuration, 130 interrupted.
Settings are environment variables; the README lists them.`;

/**
 * The command line of `workflow-gateway`. Each subcommand is a file `<name>.command.ts`, which loads its code when it
 * runs. Errors are thrown: `main` reports them.
 */
export function createProgram(interruption: Interruption): Command {
  const program = new Command('workflow-gateway')
    .description('Workflow automation for developers: the service, and the commands of its operator.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('--help', 'describe the command')
    .helpCommand(false)
    .addHelpText('after', STATUSES)
    .showHelpAfterError('See --help.')
    .allowExcessArguments(false)
    .exitOverride();
  addStart(program);
  for (const add of [addKeys, addUsers, addBackup, addRestore, addMove, addDoctor]) add(program, interruption);
  return program;
}
