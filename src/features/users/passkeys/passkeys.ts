import { recordAudit } from '../../audit-log/record-audit.js';
import { type Clock } from '../../../platform/clock.js';
import { type PersonCaller } from '../../../platform/context.js';
import { type Database, type Transaction } from '../../../platform/db/database.js';
import { sqlState } from '../../../platform/db/sql-state.js';
import { AppError, notFound, validationError } from '../../../platform/errors.js';
import { fromPublicId, newUuid, timeOf, toPublicId } from '../../../platform/ids/ids.js';
import { type MailQueue } from '../../../platform/mail/mail-queue.js';
import { textFault } from '../../../platform/validation.js';
import { passkeyAddedMail } from './passkey-added.email.js';
import { userAudit } from '../user-audit.js';
import { type PasskeyProtocol } from './passkey-protocol.js';

/** The most passkeys of a user. */
const MAX_PASSKEYS = 20;
/** The SQLSTATE of a violated unique constraint. */
const UNIQUE = '23505';

/** A passkey as its person sees it. */
export interface OwnPasskey {
  /** `pk_…`. */
  id: string;
  name: string;
  created_at: Date;
  /** The last sign-in; null before the first. */
  used_at: Date | null;
}

/** What the passkeys need. */
export interface PasskeysDependencies {
  db: Database;
  clock: Clock;
  mails: MailQueue;
  protocol: PasskeyProtocol;
  baseUrl: string;
}

interface Person {
  accountId: string;
  email: string;
  name: string;
}

/** The passkeys of the signed-in person. */
export class Passkeys {
  constructor(private readonly deps: PasskeysDependencies) {}

  /** Newest first. */
  async list({ userId }: PersonCaller): Promise<OwnPasskey[]> {
    const rows = await this.deps.db.query<OwnPasskey & { [key: string]: unknown }>(
      `SELECT id, name, created_at, used_at FROM passkeys WHERE user_id = $1 ORDER BY id DESC LIMIT ${MAX_PASSKEYS}`,
      [userId],
    );
    return rows.map((row) => ({ ...row, id: toPublicId('pk', row.id) }));
  }

  /** What the person's browser needs to create a passkey. @throws AppError `conflict` if the user has too many. */
  async begin({ userId, sessionId }: PersonCaller): Promise<object> {
    const { db, protocol } = this.deps;
    const known = await db.query<{ id: string; transports: string[] }>(
      `SELECT encode(credential_id, 'base64') AS id, transports FROM passkeys WHERE user_id = $1`,
      [userId],
    );
    if (known.length >= MAX_PASSKEYS) throw tooMany();
    const [person] = await db.query<Person & { [key: string]: unknown }>(
      `SELECT account_id AS "accountId", email, name FROM users WHERE id = $1`,
      [userId],
    );
    if (person === undefined) throw sessionIsOver();
    const ids = known.map(({ id, transports }) => ({
      id: Buffer.from(id, 'base64').toString('base64url'),
      transports,
    }));
    return protocol.creationOptions({ userId, ...person }, ids, `add ${sessionId}`);
  }

  /**
   * Stores a new passkey, and mails the user about it. @throws AppError `validation_error`, `conflict`, or
   * `unauthorized` if the session has ended in between.
   */
  async add(caller: PersonCaller, { name, response }: Readonly<Record<string, unknown>>): Promise<void> {
    const { db, protocol } = this.deps;
    const fault = textFault(name, 1, 100);
    if (fault !== undefined) throw validationError({ field: 'name', message: fault });
    if (typeof response !== 'object' || response === null) {
      throw validationError({ field: 'response', message: 'must be an object' });
    }
    const { id, publicKey, counter, transports } = await protocol.created(response, `add ${caller.sessionId}`);
    const key = { id: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter, transports };
    await db
      .transaction((tx) => this.store(tx, caller, name as string, key))
      .catch((error: unknown) => {
        throw sqlState(error) === UNIQUE ? new AppError('conflict', 'This passkey is in use already.') : error;
      });
  }

  /** Deletes a passkey, which then no longer signs in. Sessions that it started stay. @throws AppError `not_found`. */
  async remove({ userId, accountId }: PersonCaller, id: unknown): Promise<void> {
    const uuid = typeof id === 'string' ? fromPublicId('pk', id) : undefined;
    if (uuid === undefined) throw notFound('passkey');
    const { db, clock } = this.deps;
    await db.transaction(async (tx) => {
      const gone = await tx.query(`DELETE FROM passkeys WHERE id = $1 AND user_id = $2 RETURNING 1 AS one`, [
        uuid,
        userId,
      ]);
      if (gone.length === 0) throw notFound('passkey');
      await recordAudit(tx, clock.now(), userAudit('user.passkey_removed', { accountId, uuid: userId }));
    });
  }

  private async store(tx: Transaction, { userId, sessionId }: PersonCaller, name: string, key: NewKey): Promise<void> {
    const { clock, mails, baseUrl } = this.deps;
    // Locks the user, so that passkeys which are added at the same time are counted one after the other.
    const [person] = await tx.query<Person & { [key: string]: unknown }>(
      `SELECT account_id AS "accountId", email, name FROM users WHERE id = $1 FOR UPDATE`,
      [userId],
    );
    // The end of a session commits before its passkey or waits for it.
    const sessions = await tx.query(`SELECT 1 AS one FROM user_sessions WHERE id = $1 FOR SHARE`, [sessionId]);
    if (person === undefined || sessions.length === 0) throw sessionIsOver();
    const known = await tx.query(`SELECT 1 AS one FROM passkeys WHERE user_id = $1`, [userId]);
    if (known.length >= MAX_PASSKEYS) throw tooMany();
    const uuid = newUuid(clock.now());
    await tx.query(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [uuid, userId, key.id, key.publicKey, key.counter, key.transports, name, timeOf(uuid)],
    );
    const mail = passkeyAddedMail({ name, url: `${baseUrl}/settings/profile` });
    const { accountId, email } = person;
    await mails.add(tx, { accountId, to: [email], urgent: true, key: `passkey-added-${uuid}`, ...mail });
    await recordAudit(tx, clock.now(), userAudit('user.passkey_added', { accountId, uuid: userId }));
  }
}

interface NewKey {
  id: Buffer;
  /** COSE. */
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

function tooMany(): AppError {
  return new AppError('conflict', `A user has at most ${MAX_PASSKEYS} passkeys. Delete one first.`);
}

function sessionIsOver(): AppError {
  return new AppError('unauthorized', 'The session has ended: sign in again.');
}
