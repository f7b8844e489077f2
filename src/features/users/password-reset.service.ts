import { setImmediate } from 'node:timers/promises';
import { recordAudit } from '../audit-log/record-audit.js';
import { type Clock } from '../../platform/clock.js';
import { type Database, type Queryable, type Transaction } from '../../platform/db/database.js';
import { type PasswordHash } from '../../platform/encryption/password-hash.js';
import { notFound, validationError } from '../../platform/errors.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { newUuid } from '../../platform/ids/ids.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';
import { type MailQueue } from '../../platform/mail/mail-queue.js';
import { randomToken, sha256 } from '../../platform/encryption/secrets.js';
import { textFault } from '../../platform/validation.js';
import { PASSWORD } from './sign-in/auth-library.js';
import { hasPassword, setPassword } from './new-user.js';
import { noPasswordMail, passwordResetMail, passwordWasResetMail } from './password-reset.email.js';
import { sessionsEnded } from './sign-in/session.events.js';
import { proveAddress } from './unproven-user.js';
import { ownAudit, userAudit } from './user-audit.js';

const MINUTES = 60;

/** What the service needs. */
export interface PasswordResetDependencies {
  db: Database;
  clock: Clock;
  notifications: Notifications;
  mails: MailQueue;
  hash: PasswordHash['hash'];
  logger: Logger;
  baseUrl: string;
  /** The display name of the OIDC issuer; undefined without one. */
  provider: string | undefined;
}

interface Person {
  uuid: string;
  accountId: string;
  /** The account's name. */
  account: string;
  email: string;
}

/**
 * Links that set a new password, one per user. Using it, requesting another one, and any change of the password void
 * it.
 */
export class PasswordResetService {
  /** Mails being queued after the response, whose content and timing must not reveal whether a user exists. */
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly deps: PasswordResetDependencies) {}

  /**
   * Mails a link to the user of an address (in lower case), if there is one. The mail is queued after the response,
   * which is the same either way. `isOwn`: the signed-in user asks, and gets a link for a first password too.
   */
  async ask(email: string, { isOwn = false } = {}): Promise<void> {
    const person = await this.personOf(email);
    if (person === undefined) return;
    const work = setImmediate()
      .then(() => this.mailTo(person, isOwn))
      .catch((error: unknown) =>
        this.deps.logger.error(errorFields(error), 'the mail with a reset link was not queued'),
      )
      .finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /** Resolves once all requested mails are queued. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  /** A link for the operator to pass on, without a mail. @throws AppError `not_found` if no user has the address. */
  async linkFor(email: string): Promise<string> {
    const person = await this.personOf(email.toLowerCase());
    if (person === undefined) throw notFound('user');
    return this.deps.db.transaction(async (tx) => (await this.write(tx, person, { mailed: false })).url);
  }

  /** The user and account of a link. @throws AppError `not_found` if the link is unknown, used, void or expired. */
  async find(token: string): Promise<{ email: string; account: string }> {
    const [user] = await this.deps.db.query<{ email: string; account: string }>(
      `SELECT u.email, a.name AS account FROM password_resets r JOIN users u ON u.id = r.user_id
       JOIN accounts a ON a.id = u.account_id WHERE r.digest = $1 AND r.expires_at > $2`,
      [sha256(token), this.deps.clock.now()],
    );
    if (user === undefined) throw notFound('reset link');
    return user;
  }

  /**
   * Sets the password and ends every session of the user. @returns the uuid. @throws AppError `not_found` or
   * `validation_error`.
   */
  async use(token: string, password: unknown): Promise<string> {
    await this.find(token);
    const fault = textFault(password, PASSWORD.min, PASSWORD.max);
    if (fault !== undefined) throw validationError({ field: 'password', message: fault });
    const passwordHash = await this.deps.hash(password as string);
    return this.deps.db.transaction((tx) => this.replace(tx, token, passwordHash));
  }

  private async replace(tx: Transaction, token: string, passwordHash: string): Promise<string> {
    const { clock, notifications, mails, baseUrl } = this.deps;
    const now = clock.now();
    const [person] = await tx.query<{ uuid: string; accountId: string; email: string; mailed: boolean }>(
      `DELETE FROM password_resets r USING users u WHERE r.digest = $1 AND r.expires_at > $2 AND u.id = r.user_id
       RETURNING u.id AS uuid, u.account_id AS "accountId", u.email, r.mailed`,
      [sha256(token), now],
    );
    if (person === undefined) throw notFound('reset link');
    const { uuid: userId, accountId, email } = person;
    // Only the owner of the address reads its mails: an unproven user may have belonged to another person until now.
    if (person.mailed) await proveAddress(tx, notifications, userId, now);
    await setPassword(tx, userId, passwordHash, now);
    await tx.query(`DELETE FROM user_sessions WHERE user_id = $1`, [userId]);
    notifications.publish(tx, sessionsEnded, { userId });
    await recordAudit(tx, now, ownAudit('user.password_reset', { accountId, uuid: userId }));
    const mail = passwordWasResetMail({ url: `${baseUrl}/forgot-password` });
    await mails.add(tx, { accountId, to: [email], urgent: true, key: `password-was-reset-${newUuid(now)}`, ...mail });
    return userId;
  }

  private async personOf(email: string): Promise<Person | undefined> {
    const [person] = await this.deps.db.query<Person & { [key: string]: unknown }>(
      `SELECT u.id AS uuid, u.account_id AS "accountId", a.name AS account, u.email
       FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.email = $1`,
      [email],
    );
    return person;
  }

  private async mailTo({ uuid, accountId, account, email }: Person, isOwn: boolean): Promise<void> {
    const { db, clock, mails, baseUrl, provider } = this.deps;
    const to = { accountId, to: [email], urgent: true };
    if (provider !== undefined && !isOwn && !(await hasPassword(db, uuid))) {
      const mail = noPasswordMail({ provider, url: `${baseUrl}/sign-in` });
      await mails.add(db, { ...to, key: `no-password-${newUuid(clock.now())}`, ...mail });
      return;
    }
    await db.transaction(async (tx) => {
      const { url, digest } = await this.write(tx, { uuid, accountId }, { mailed: true });
      const key = `password-reset-${digest.toString('hex')}`;
      await mails.add(tx, { ...to, key, ...passwordResetMail({ account, url, minutes: MINUTES }) });
    });
  }

  /** Stores a reset link. A `mailed` link is shown to its recipient alone, so using it verifies the address. */
  private async write(
    on: Queryable,
    { uuid: userId, accountId }: Pick<Person, 'uuid' | 'accountId'>,
    { mailed }: { mailed: boolean },
  ): Promise<{ url: string; digest: Buffer }> {
    const token = randomToken();
    const digest = sha256(token);
    const now = this.deps.clock.now();
    await on.query(
      `INSERT INTO password_resets (user_id, digest, mailed, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (user_id) DO UPDATE SET digest = EXCLUDED.digest, mailed = EXCLUDED.mailed, created_at = EXCLUDED.created_at,
         expires_at = EXCLUDED.expires_at`,
      [userId, digest, mailed, now, new Date(now.getTime() + MINUTES * 60_000)],
    );
    await recordAudit(on, now, userAudit('user.password_reset_requested', { accountId, uuid: userId }));
    return { url: `${this.deps.baseUrl}/reset-password/${token}`, digest };
  }
}
