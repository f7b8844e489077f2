import { recordAudit } from '../audit-log/record-audit.js';
import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { type PasswordHash } from '../../platform/encryption/password-hash.js';
import { notFound } from '../../platform/errors.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { toPublicId } from '../../platform/ids/ids.js';
import { sha256 } from '../../platform/encryption/secrets.js';
import { checkProfile, insertUser, type Proof } from './new-user.js';
import { removeUnproven, unprovenUserOf } from './unproven-user.js';
import { ownAudit } from './user-audit.js';

/** The maximum number of invitations to choose from; the newest are shown. */
const MAX_CHOICES = 20;

/** An invitation that has not expired, with its account's name. */
export interface OpenInvitation {
  uuid: string;
  accountId: string;
  email: string;
  account: string;
  /** Whether using it proves the address: it came by the mailed link, or the OIDC issuer verified the address. */
  provesAddress: boolean;
}

/** Turns invited persons into users, by a link of the invitation or by a choice after a sign-in at the OIDC issuer. */
export class Joining {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
    private readonly hash: PasswordHash['hash'],
  ) {}

  /** The invitation of a link. @throws AppError `not_found` if the link is unknown, used, revoked or expired. */
  async find(token: string): Promise<OpenInvitation> {
    const [invitation] = await this.open(
      'i.mailed_digest IS NOT DISTINCT FROM $2',
      '(i.digest = $2 OR i.mailed_digest = $2)',
      sha256(token),
    );
    if (invitation === undefined) throw notFound('invitation');
    return invitation;
  }

  /** The name of the account whose unproven user of the same address is removed when this invitation is accepted. */
  async replacedBy({ provesAddress, email }: OpenInvitation): Promise<string | undefined> {
    return provesAddress ? (await unprovenUserOf(this.db, email))?.account : undefined;
  }

  /**
   * Creates the invited user. @returns the user’s uuid. @throws AppError `not_found`, `validation_error` or `conflict`.
   */
  async accept(token: string, given: { name: unknown; password: unknown }): Promise<string> {
    const invitation = await this.find(token);
    checkProfile({ name: given.name, password: given.password });
    const passwordHash = await this.hash(given.password as string);
    return this.join(invitation, given.name as string, { passwordHash });
  }

  /** The open invitations of an address (in lower case) from all accounts, newest first. */
  openFor(email: string): Promise<OpenInvitation[]> {
    return this.open('true', 'i.email = $2', email);
  }

  /**
   * Turns an invitation into a user; works once. @returns the user's uuid. @throws AppError `not_found` or `conflict`.
   */
  async join({ uuid, accountId, email, provesAddress }: OpenInvitation, name: string, proof: Proof): Promise<string> {
    return this.db.transaction(async (tx) => {
      const now = this.clock.now();
      const used = await tx.query(`DELETE FROM invitations WHERE id = $1 AND expires_at > $2 RETURNING 1 AS one`, [
        uuid,
        now,
      ]);
      if (used.length === 0) throw notFound('invitation');
      if (provesAddress) await removeUnproven(tx, this.notifications, now, email);
      const user = { accountId, email, emailVerified: provesAddress, name, proof };
      const userId = await insertUser(tx, user, now);
      const after = { invitation: toPublicId('inv', uuid) };
      await recordAudit(tx, now, ownAudit('user.created', { accountId, uuid: userId }, after));
      return userId;
    });
  }

  private open(proves: string, which: string, value: unknown): Promise<OpenInvitation[]> {
    return this.db.query<OpenInvitation & { [key: string]: unknown }>(
      `SELECT i.id AS uuid, i.account_id AS "accountId", i.email, a.name AS account, ${proves} AS "provesAddress"
       FROM invitations i JOIN accounts a ON a.id = i.account_id
       WHERE i.expires_at > $1 AND ${which} ORDER BY i.created_at DESC, i.id LIMIT ${MAX_CHOICES}`,
      [this.clock.now(), value],
    );
  }
}
