import { auditing, auditParameter, NO_FACTS } from '../../audit-log/record-audit.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { type Database, type Queryable } from '../../../platform/db/database.js';
import { type Page, type PageArgs } from '../../../platform/db/pages/pagination.js';
import { selectLongPage } from '../../../platform/db/pages/select-page.js';
import { AppError, notFound, validationError } from '../../../platform/errors.js';
import { fromPublicId, newUuid, timeOf } from '../../../platform/ids/ids.js';
import { type MailQueue } from '../../../platform/mail/mail-queue.js';
import { randomToken, sha256 } from '../../../platform/encryption/secrets.js';
import { lockAccount } from '../../accounts/lock-account.js';
import { type AttemptLimits } from '../sign-in/attempt-limits.js';
import { emailFault } from '../email-address.js';
import { hasPlace, tooManyPeople } from '../people-limit.js';
import { invitationMail } from './invitation.email.js';
import { Invitation } from './invitation.entity.js';

const COLUMNS = columnsOf(Invitation, 'i');
const DAYS = 7;

/** By the id alone: the address is read while the invitation is open. */
const AUDITED = {
  from: 'i',
  accountId: 'i.account_id',
  resource: 'i.id',
  name: 'NULL::text',
  before: NO_FACTS,
  after: NO_FACTS,
} as const;

/** Parameters: uuid, account, address, digests of both links, now, the end, `auditParameter`. */
const CREATE = `
  WITH i AS (
    INSERT INTO invitations (id, account_id, email, digest, mailed_digest, created_at, expires_at)
    SELECT $1, $2, $3, $4, $5, $6, $7 WHERE ${hasPlace('$2', '$3', '$6')}
    ON CONFLICT (account_id, email) DO UPDATE SET id = EXCLUDED.id, digest = EXCLUDED.digest,
      mailed_digest = EXCLUDED.mailed_digest, created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at
    RETURNING *),
  audited AS (${auditing({ ...AUDITED, action: 'invitation.created', entry: '$8' })})
  SELECT ${COLUMNS} FROM i`;

/** Parameters: uuid, account, `auditParameter`. */
const REVOKE = `
  WITH i AS (DELETE FROM invitations WHERE id = $1 AND account_id = $2 RETURNING *),
  audited AS (${auditing({ ...AUDITED, action: 'invitation.revoked', entry: '$3' })})
  SELECT ${COLUMNS} FROM i`;

/** `mailedToken` is undefined if nothing is mailed. */
interface NewInvitation {
  accountId: string;
  email: string;
  mailedToken: string | undefined;
}

/** Invitations to an account, one per address: a new invitation voids the previous one. */
export class InvitationService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly mails: MailQueue,
    private readonly baseUrl: string,
    private readonly limits: AttemptLimits,
  ) {}

  /** The invitations that have not expired, newest first; `counts`: whether the total is needed. */
  page({ accountId }: RequestContext, args: PageArgs, counts = true): Promise<Page<Invitation>> {
    const open = { where: 'i.expires_at > $2', values: [this.clock.now()] };
    const list = { entity: Invitation, prefix: 'inv', from: 'invitations i', accountId, ...open } as const;
    return selectLongPage(this.db, list, args, counts);
  }

  /**
   * Mails a link and returns another one, this once. The inviter never sees the mailed link, whose use proves the
   * address.
   * @throws AppError `validation_error`, also for too many people, `conflict` for a user of the account, `rate_limited` for
   * too many mails.
   */
  async invite(context: RequestContext, given: string): Promise<Invitation> {
    const email = addressOf(given);
    const giveBack = this.limits.take({
      invitation: `${context.accountId} ${email}`,
      invited: email,
      inviter: context.accountId,
    });
    try {
      return await this.db.transaction((tx) => this.mail(tx, context, email));
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /**
   * Creates an invitation without a mail; the caller passes its link on. @throws AppError `validation_error`, also for too
   * many people, or `conflict`.
   */
  async make(tx: Queryable, accountId: string, given: string): Promise<Invitation & { url: string }> {
    return this.write(tx, { accountId, email: addressOf(given), mailedToken: undefined });
  }

  /** Voids an invitation. @returns the id. @throws AppError `not_found`. */
  async revoke({ accountId }: RequestContext, id: string): Promise<string> {
    const values = [fromPublicId('inv', id) ?? null, accountId, auditParameter(this.clock.now())];
    const [gone] = await this.db.select(Invitation, REVOKE, values);
    if (gone === undefined) throw notFound('invitation');
    return id;
  }

  private async mail(tx: Queryable, { accountId, caller }: RequestContext, email: string): Promise<Invitation> {
    const mailedToken = randomToken();
    const invitation = await this.write(tx, { accountId, email, mailedToken });
    const userId = caller.kind === 'person' ? caller.userId : null;
    const [names] = await tx.query<{ account: string; inviter: string | null }>(
      `SELECT a.name AS account, u.name AS inviter FROM accounts a LEFT JOIN users u ON u.id = $2 WHERE a.id = $1`,
      [accountId, userId],
    );
    const url = this.urlOf(mailedToken);
    const said = { accountName: names!.account, inviter: names!.inviter ?? 'A user', url, days: DAYS };
    const key = `invitation-${invitation.digest.toString('hex')}`;
    await this.mails.add(tx, { accountId, to: [email], urgent: true, key, ...invitationMail(said) });
    return invitation;
  }

  private async write(tx: Queryable, given: NewInvitation): Promise<Invitation & { url: string }> {
    const { accountId, email, mailedToken } = given;
    await lockAccount(tx, accountId);
    const known = await tx.query(`SELECT 1 AS one FROM users WHERE email = $1 AND account_id = $2`, [email, accountId]);
    if (known.length > 0) throw new AppError('conflict', 'This person is a user of the account already.');
    const uuid = newUuid(this.clock.now());
    const made = timeOf(uuid);
    const token = randomToken();
    await tx.query(`DELETE FROM invitations WHERE account_id = $1 AND email = $2`, [accountId, email]);
    const [invitation] = await tx.select(Invitation, CREATE, [
      uuid,
      accountId,
      email,
      sha256(token),
      mailedToken === undefined ? null : sha256(mailedToken),
      made,
      new Date(made.getTime() + DAYS * 86_400_000),
      auditParameter(made),
    ]);
    if (invitation === undefined) throw tooManyPeople();
    return Object.assign(invitation, { url: this.urlOf(token) });
  }

  private urlOf(token: string): string {
    return `${this.baseUrl}/invitations/${token}`;
  }
}

/** The address in lower case, as it is stored. @throws AppError `validation_error`. */
function addressOf(given: string): string {
  const fault = emailFault(given);
  if (fault !== undefined) throw validationError({ field: 'email', message: fault });
  return given.toLowerCase();
}
