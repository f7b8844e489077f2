import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { MailQueue } from '../mail/mail-queue.js';
import { AttemptLimits } from '../users/attempt-limits.js';
import { emailFault } from '../users/email-address.js';
import { InvitationService } from '../users/invitation.service.js';
import { PasswordResetService } from '../users/password-reset.service.js';
import { type User } from '../users/user.entity.js';
import { UserService } from '../users/user.service.js';
import { textFault } from '../validation.js';
import { accountsCalled, type Command, type CommandFloor, jsonLines, runShellCommand } from './shell-command.js';

/** One line, as every error is. */
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
  return async (floor) => {
    const lines: Record<string, unknown>[] = [];
    for (const { id, name } of await accountsCalled(floor.db, account)) {
      for (const user of await usersOf(floor).all(id)) lines.push(describe(user, name));
    }
    return jsonLines(lines);
  };
}

function invite(email: string, account: string): Command {
  const fault = textFault(account, 1, 255);
  if (fault !== undefined) throw new Error(`--account ${fault}`);
  return async (floor) => {
    const { db, clock, accounts, config } = floor;
    const user = await usersOf(floor).findByEmail(email);
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
  return async (floor) => {
    const { clock, config } = floor;
    await existing(floor, email);
    const parts = { ...floor, mails: new MailQueue(clock), baseUrl: config.baseUrl, provider: undefined };
    return new PasswordResetService(parts).linkFor(email);
  };
}

function remove(email: string): Command {
  return async (floor) => {
    await usersOf(floor).removeByOperator(await existing(floor, email));
    return undefined;
  };
}

function usersOf({ db, clock, notifications }: CommandFloor): UserService {
  return new UserService(db, clock, notifications);
}

async function existing(floor: CommandFloor, email: string): Promise<User> {
  const user = await usersOf(floor).findByEmail(email);
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
