import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { type Command, runShellCommand } from './shell-command.js';
import { invite, list, remove, reset } from './user-verbs.js';

/** One line, like every error. */
const USAGE =
  'usage: npm run --silent users -- list [--account NAME] | invite EMAIL [--account NAME] | reset EMAIL | remove EMAIL';

const OPTIONS = { account: { type: 'string' } } as const;

function readCommand(argv: string[]): Command {
  if (argv.includes('--help')) throw new Error(USAGE);
  const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  const [verb, email, ...more] = positionals;
  const { account } = values;
  if (more.length > 0) throw new Error(`unexpected "${more[0]}"; ${USAGE}`);
  if (verb === 'list' && email === undefined) return list(account);
  if (verb === 'invite' && email !== undefined) return invite(email, account ?? 'default');
  if (account !== undefined) throw new Error(`--account belongs to list and invite; ${USAGE}`);
  if (verb === 'reset' && email !== undefined) return reset(email);
  if (verb === 'remove' && email !== undefined) return remove(email);
  throw new Error(USAGE);
}

runShellCommand('users', readCommand);
