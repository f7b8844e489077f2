import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { create, encryption, list, revoke, rotate } from './key-verbs.js';
import { type Command, runShellCommand } from './shell-command.js';

/** One line, like every error. */
const USAGE =
  'usage: npm run --silent keys -- create --label TEXT --scope read-only|read-write [--account NAME] [--expires-at TIME]' +
  ' | rotate ID [--overlap 24h] | revoke ID | list [--account NAME] | encryption';

const OPTIONS = {
  label: { type: 'string' },
  scope: { type: 'string' },
  account: { type: 'string' },
  overlap: { type: 'string', default: '24h' },
  'expires-at': { type: 'string' },
} as const;

function readCommand(argv: string[]): Command {
  if (argv.includes('--help')) throw new Error(USAGE);
  const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  const [verb, id, ...more] = positionals;
  if (more.length > 0) throw new Error(`unexpected "${more[0]}"; ${USAGE}`);
  if (verb === 'create' && id === undefined) return create({ ...values, expiresAt: values['expires-at'] });
  if (verb === 'rotate' && id !== undefined) return rotate(id, values.overlap);
  if (verb === 'revoke' && id !== undefined) return revoke(id);
  if (verb === 'list' && id === undefined) return list(values.account);
  if (verb === 'encryption' && id === undefined) return encryption;
  throw new Error(USAGE);
}

runShellCommand('keys', readCommand);
