import { recordAudit } from '../../audit-log/record-audit.js';
import { type Clock } from '../../../platform/clock.js';
import { type Database, type Queryable } from '../../../platform/db/database.js';
import { AppError, notFound } from '../../../platform/errors.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { textFault } from '../../../platform/validation.js';
import { emailFault } from '../email-address.js';
import { type Joining } from '../joining.js';
import { insertCredential } from '../new-user.js';
import { type Identity } from './oidc-protocol.js';
import { ownAudit } from '../user-audit.js';
import { proveAddress, unprovenUserOf } from '../unproven-user.js';

/** The issuer identified the person, but no account admits them. */
export class NotAdmittedError extends Error {
  override readonly name = 'NotAdmittedError';

  constructor(readonly reason: 'email_not_verified' | 'not_invited') {
    super(reason);
  }
}

/** A person with a verified address who is not a user yet and may choose an account. */
export interface Applicant {
  issuer: string;
  subject: string;
  /** In lower case. */
  email: string;
  name: string;
}

/** One account that an applicant may choose. */
export interface Choice {
  /** `inv_…` of an invitation, or `usr_…` of an existing user whose address is not proven yet. */
  id: string;
  account: string;
  /** The account whose user with the same address is removed by this choice. */
  replaces?: string;
}

/** Decides who may sign in by OIDC: users and invited persons. An address counts only if the issuer has verified it. */
export class OidcUsers {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
    private readonly joining: Joining,
  ) {}

  /**
   * The user of an identity, or an applicant who has to choose an account. No person joins an account without choosing
   * it, as any account can invite any address. @throws NotAdmittedError if there is nothing to choose.
   */
  async admit(identity: Identity): Promise<{ userId: string } | { applicant: Applicant }> {
    const { issuer, subject, email, emailVerified, name } = identity;
    const known = await this.bySubject(identity);
    if (known !== undefined) return { userId: known };
    if (email === undefined || !emailVerified) throw new NotAdmittedError('email_not_verified');
    // No user can have such an address, and lower-casing may turn it into another one: the Kelvin sign becomes a k.
    if (emailFault(email) !== undefined) throw new NotAdmittedError('not_invited');
    const called = textFault(name, 1, 255) === undefined ? name! : email.split('@', 1)[0]!;
    const applicant = { issuer, subject, email: email.toLowerCase(), name: called };
    const userId = await this.linkProven(applicant);
    if (userId !== undefined) return { userId };
    if ((await this.choices(applicant)).length === 0) throw new NotAdmittedError('not_invited');
    return { applicant };
  }

  /** The accounts that an applicant may choose from. */
  async choices({ email }: Applicant): Promise<Choice[]> {
    const [user, invitations] = await Promise.all([unprovenUserOf(this.db, email), this.joining.openFor(email)]);
    const own = user === undefined ? [] : [{ id: toPublicId('usr', user.uuid), account: user.account }];
    const replaces = user === undefined ? {} : { replaces: user.account };
    return [...own, ...invitations.map(({ uuid, account }) => ({ id: toPublicId('inv', uuid), account, ...replaces }))];
  }

  /**
   * Makes the applicant a user of the chosen account. @returns the uuid. @throws AppError `not_found` or `conflict`.
   */
  async choose(applicant: Applicant, id: string): Promise<string> {
    const known = await this.bySubject(applicant);
    if (known !== undefined) throw userAlready();
    const { issuer, subject, email, name } = applicant;
    const user = await unprovenUserOf(this.db, email);
    if (user !== undefined && toPublicId('usr', user.uuid) === id) return this.takeOver(applicant, user.uuid);
    const invitations = await this.joining.openFor(email);
    const chosen = invitations.find(({ uuid }) => toPublicId('inv', uuid) === id);
    if (chosen === undefined) throw notFound('invitation');
    return this.joining.join(chosen, name, { issuer, subject });
  }

  /**
   * Links the issuer to the user with this verified address. @returns the user’s uuid; undefined where there is none.
   */
  private async linkProven(applicant: Applicant): Promise<string | undefined> {
    const [user] = await this.db.query<{ id: string }>(`SELECT id FROM users WHERE email = $1 AND email_verified`, [
      applicant.email,
    ]);
    if (user === undefined) return undefined;
    await this.db.transaction((tx) => this.link(tx, applicant, user.id));
    // Of two concurrent sign-ins, the first one's credential counts.
    return this.bySubject(applicant);
  }

  /**
   * Links the issuer to a user whose address was not proven. Afterwards the issuer is the user's only way to sign in.
   */
  private async takeOver(applicant: Applicant, userId: string): Promise<string> {
    await this.db.transaction(async (tx) => {
      if (!(await proveAddress(tx, this.notifications, userId, this.clock.now()))) throw notFound('user');
      if (!(await this.link(tx, applicant, userId))) throw userAlready();
    });
    return userId;
  }

  private async link(tx: Queryable, { issuer, subject }: Applicant, userId: string): Promise<boolean> {
    const now = this.clock.now();
    const isAdded = await insertCredential(tx, userId, { issuer, subject }, now);
    if (isAdded) {
      const [user] = await tx.query<{ accountId: string }>(
        `SELECT account_id AS "accountId" FROM users WHERE id = $1`,
        [userId],
      );
      await recordAudit(tx, now, ownAudit('user.identity_linked', { ...user!, uuid: userId }));
    }
    return isAdded;
  }

  private async bySubject({ issuer, subject }: Pick<Applicant, 'issuer' | 'subject'>): Promise<string | undefined> {
    const [credential] = await this.db.query<{ id: string }>(
      `SELECT user_id AS id FROM user_credentials WHERE provider = $1 AND subject = $2`,
      [issuer, subject],
    );
    return credential?.id;
  }
}

function userAlready(): AppError {
  return new AppError('conflict', 'You are a user already: sign in.');
}
