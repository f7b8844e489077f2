import { type Command } from 'commander';
import type * as verbsModule from '../cli/user-verbs.js';
import { type Command as Verb } from '../cli/shell-command.js';
import { type Interruption } from './interruption.js';
import { JSON_OPTION, type OutputOptions } from './output.js';
import { runVerb } from './run-verb.js';

type Verbs = typeof verbsModule;

/** `users`: people that sign in to the dashboard. */
export function addUsers(program: Command, interruption: Interruption): void {
  const users = program.command('users').description('manage users of the dashboard').helpCommand(false);
  const run = async (name: string, options: OutputOptions, read: (verbs: Verbs) => Verb): Promise<void> => {
    interruption.begin();
    await import('reflect-metadata');
    const verbs = await import('../cli/user-verbs.js');
    await runVerb(`users ${name}`, () => read(verbs), options);
  };
  users
    .command('list')
    .description('list users')
    .option('--account <name>', 'only those of one account')
    .option(...JSON_OPTION)
    .action((options: OutputOptions & { account?: string }) =>
      run('list', options, (verbs) => verbs.list(options.account)),
    );
  users
    .command('invite <email>')
    .description('print a link that creates a user, once')
    .option('--account <name>', 'the account to join, created if it is new', 'default')
    .option(...JSON_OPTION)
    .action((email: string, options: OutputOptions & { account: string }) =>
      run('invite', options, (verbs) => verbs.invite(email, options.account)),
    );
  users
    .command('reset <email>')
    .description('print a link that sets a new password, once, for an hour')
    .option(...JSON_OPTION)
    .action((email: string, options: OutputOptions) => run('reset', options, (verbs) => verbs.reset(email)));
  users
    .command('remove <email>')
    .description('remove a user, even the last one')
    .action((email: string) => run('remove', {}, (verbs) => verbs.remove(email)));
}
