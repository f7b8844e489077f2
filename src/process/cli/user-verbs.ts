import { MailQueue } from '../../platform/mail/mail-queue.js';
import { AttemptLimits } from '../../features/users/sign-in/attempt-limits.js';
import { emailFault } from '../../features/users/email-address.js';
import { InvitationService } from '../../features/users/invitations/invitation.service.js';
import { PasswordResetService } from '../../features/users/password-reset.service.js';
import { SCRYPT } from '../../platform/encryption/password-hash.js';
import { type User } from '../../features/users/user.entity.js';
import { UserService } from '../../features/users/user.service.js';
import { textFault } from '../../platform/validation.js';
import { accountsCalled, type Command, type CommandPlatform } from './shell-command.js';

/** Lists the users of all accounts, or of one. */
export function list(account: string | undefined): Command {
  return async (platform) => {
    const lines: Record<string, unknown>[] = [];
    for (const { id, name } of await accountsCalled(platform.db, account)) {
      for (const user of await usersOf(platform).all(id)) lines.push(describe(user, name));
    }
    return { rows: lines };
  };
}

/** Creates the link of an invitation, and the account if it is new. @throws Error for an invalid address or name. */
export function invite(given: string, account: string): Command {
  const email = address(given);
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
    return { name: 'link', text: url };
  };
}

/** Creates a link that sets a new password. @throws Error for an invalid address. */
export function reset(given: string): Command {
  const email = address(given);
  return async (platform) => {
    const { clock, config } = platform;
    await existing(platform, email);
    const { baseUrl } = config;
    const parts = { ...platform, mails: new MailQueue(clock), hash: SCRYPT.hash, baseUrl, provider: undefined };
    return { name: 'link', text: await new PasswordResetService(parts).linkFor(email) };
  };
}

/** Removes a user, even the last one. @throws Error for an invalid address. */
export function remove(given: string): Command {
  const email = address(given);
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
