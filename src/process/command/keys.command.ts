import { type Command } from 'commander';
import type * as verbsModule from '../cli/key-verbs.js';
import { type Command as Verb } from '../cli/shell-command.js';
import { type Interruption } from './interruption.js';
import { JSON_OPTION, type OutputOptions } from './output.js';
import { runVerb } from './run-verb.js';

type Verbs = typeof verbsModule;

/** `keys`: API keys of all accounts, and the encryption keys in use. */
export function addKeys(program: Command, interruption: Interruption): void {
  const keys = program.command('keys').description('manage API keys').helpCommand(false);
  const run = async (name: string, options: OutputOptions, read: (verbs: Verbs) => Verb): Promise<void> => {
    interruption.begin();
    await import('reflect-metadata');
    const verbs = await import('../cli/key-verbs.js');
    await runVerb(`keys ${name}`, () => read(verbs), options);
  };
  keys
    .command('create')
    .description('create a key; prints it, only once')
    .requiredOption('--label <text>', 'its name')
    .requiredOption('--scope <scope>', 'read-only or read-write')
    .option('--account <name>', 'its account, created if it is new', 'default')
    .option('--expires-at <time>', 'its end, e.g. 2030-01-01T00:00:00Z')
    .option(...JSON_OPTION)
    .action((options: OutputOptions & Parameters<Verbs['create']>[0]) =>
      run('create', options, (verbs) => verbs.create(options)),
    );
  keys
    .command('list')
    .description('list keys without their secrets')
    .option('--account <name>', 'only those of one account')
    .option(...JSON_OPTION)
    .action((options: OutputOptions & { account?: string }) =>
      run('list', options, (verbs) => verbs.list(options.account)),
    );
  keys
    .command('rotate <id>')
    .description('create a key in the place of another; prints it, only once')
    .option('--overlap <hours>', 'how long the old key goes on, 0h to 720h', '24h')
    .option(...JSON_OPTION)
    .action((id: string, options: OutputOptions & { overlap: string }) =>
      run('rotate', options, (verbs) => verbs.rotate(id, options.overlap)),
    );
  keys
    .command('revoke <id>')
    .description('end a key at once')
    .action((id: string) => run('revoke', {}, (verbs) => verbs.revoke(id)));
  keys
    .command('encryption')
    .description('count the encrypted texts of each column by the key that opens them')
    .option(...JSON_OPTION)
    .action((options: OutputOptions) => run('encryption', options, (verbs) => verbs.encryption));
}
