import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { MailQueue } from '../../platform/mail/mail-queue.js';
import { AttemptLimits } from '../../features/users/sign-in/attempt-limits.js';
import { emailFault } from '../../features/users/email-address.js';
import { InvitationService } from '../../features/users/invitations/invitation.service.js';
import { PasswordResetService } from '../../features/users/password-reset.service.js';
import { type User } from '../../features/users/user.entity.js';
import { UserService } from '../../features/users/user.service.js';
import { textFault } from '../../platform/validation.js';
import { accountsCalled, type Command, type CommandPlatform, jsonLines, runShellCommand } from './shell-command.js';

/** One line, like every error. */
const USAGE =
  'usage: npm run --silent users -- list [--account NAME] | invite EMAIL [--account NAME] | reset EMAIL | remove EMAIL';

const OPTIONS = { account: { type: 'string' } } as const;

function readCommand(argv: string[]): Command {
  const { values, positionals } = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  const [verb, email, ...more] = positionals;
  const { account } = values;
  if (more.length > 0) throw new Error(`unexpected "${more[0]}"; ${USAGE}`);
  if (verb === 'list' && email === undefined) return list(account);
  if (verb === 'invite' && email !== undefined) return invite(address(email), account ?? 'default');
  if (account !== undefined) throw new Error(`--account belongs to list and invite; ${USAGE}`);
  if (verb === 'reset' && email !== undefined) return reset(address(email));
  if (verb === 'remove' && email !== undefined) return remove(address(email));
  throw new Error(USAGE);
}

function list(account: string | undefined): Command {
  return async (platform) => {
    const lines: Record<string, unknown>[] = [];
    for (const { id, name } of await accountsCalled(platform.db, account)) {
      for (const user of await usersOf(platform).all(id)) lines.push(describe(user, name));
    }
    return jsonLines(lines);
  };
}

function invite(email: string, account: string): Command {
  const fault = textFault(account, 1, 255);
  if (fault !== undefined) throw new Error(`--account ${fault}`);
  return async (platform) => {
    const { db, clock, accounts, config } = platform;
    const user = await usersOf(platform).findByEmail(email);
    if (user !== undefined) throw new Error(`${email} is a user already; users -- reset lets them sign in again`);
    const limits = new AttemptLimits(clock, false);
    const invitations = new InvitationService(db, clock, new MailQueue(clock), config.baseUrl, limits);
    const { url } = await db.transaction(async (tx) =>
      invitations.make(tx, await accounts.findOrCreate(tx, account), email),
    );
    return url;
  };
}

function reset(email: string): Command {
  return async (platform) => {
    const { clock, config } = platform;
    await existing(platform, email);
    const parts = { ...platform, mails: new MailQueue(clock), baseUrl: config.baseUrl, provider: undefined };
    return new PasswordResetService(parts).linkFor(email);
  };
}

function remove(email: string): Command {
  return async (platform) => {
    await usersOf(platform).removeByOperator(await existing(platform, email));
    return undefined;
  };
}

function usersOf({ db, clock, notifications }: CommandPlatform): UserService {
  return new UserService(db, clock, notifications);
}

async function existing(platform: CommandPlatform, email: string): Promise<User> {
  const user = await usersOf(platform).findByEmail(email);
  if (user === undefined) throw new Error(`no user has the address ${email}`);
  return user;
}

function address(given: string): string {
  const fault = emailFault(given);
  if (fault !== undefined) throw new Error(`EMAIL ${fault}`);
  return given.toLowerCase();
}

function describe({ id, email, name, createdAt }: User, account: string): Record<string, unknown> {
  return { id, account, email, name, created_at: createdAt };
}

runShellCommand('users', readCommand);
