import { type Database } from '../../../platform/db/database.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { type ChangeRecorder } from '../changes/record-change.js';
import { lockByUuid } from '../integration.store.js';
import { type Connection, isRenewable } from './connections.js';
import { isSameSealed, kindOf } from './credentials.js';
import { endRefused } from './end-refused.js';
import { isVerifiable, type Probe } from './probe.js';

/** The dependencies of `DeadConnections`. */
export interface DeadConnectionDependencies {
  db: Database;
  changes: ChangeRecorder;
  secrets: Secrets;
  probe: Probe;
  logger: Logger;
}

/** Detects dead connections by the responses of their applications (docs/decisions/0020-dead-connections.md). */
export class DeadConnections {
  constructor(private readonly deps: DeadConnectionDependencies) {}

  /**
   * Handles a 401, which came after any possible renewal. Asks the application whether the credentials still work, at
   * most once a minute per integration over all processes. If it can't be asked, a minute with no response but 401
   * decides.
   */
  async unauthorized(connection: Connection, hops: number): Promise<void> {
    const isForAMinute = 'accessToken' in connection.credentials && (await this.note(connection));
    if (!isAskable(connection)) {
      if (isForAMinute && !isRenewable(connection)) await this.end(connection, hops);
    } else if (await this.mayProbe(connection)) {
      const check = await this.deps.probe.check(connection);
      if (check === 'refused') await this.end(connection, hops);
    }
  }

  /** Handles any other response than 401. Never rejects, because the response itself is more important. */
  async answered(connection: Connection): Promise<void> {
    // If only a row of 401s can prove the end, the row is reset even if another call recorded a 401 in between.
    const isCounted = !isAskable(connection) && !isRenewable(connection);
    if (connection.unauthorized === 'no' && !isCounted) return;
    await this.deps.db
      .query(`UPDATE integrations SET unauthorized_since = NULL WHERE id = $1 AND unauthorized_since IS NOT NULL`, [
        connection.uuid,
      ])
      .catch((error: unknown) =>
        this.deps.logger.warn(errorFields(error), 'a response to a connection was not recorded'),
      );
  }

  /**
   * Ends a connection whose credentials were refused, unless they were replaced in between or are being renewed.
   * @returns whether it ended the connection.
   */
  async end(connection: Connection, hops: number): Promise<boolean> {
    const { uuid, sealed } = connection;
    const { db, changes, secrets } = this.deps;
    return db.transaction(async (tx) => {
      const locked = await lockByUuid(tx, uuid);
      if (locked?.status !== 'connected' || !isSameSealed(secrets, locked, sealed, locked.credentials)) return false;
      const [row] = await tx.query<{ isBeingRenewed: boolean; isForAMinute: boolean }>(
        `SELECT coalesce(renewal_until > clock_now(), false) AS "isBeingRenewed",
           coalesce(unauthorized_since <= clock_now() - interval '1 minute', false) AS "isForAMinute"
         FROM integrations WHERE id = $1`,
        [uuid],
      );
      // The provider may have replaced the token already, with another process about to store the new one.
      if (row!.isBeingRenewed || (!isAskable(connection) && !row!.isForAMinute)) return false;
      await endRefused(tx, changes, locked, hops);
      return true;
    });
  }

  /** Records the first 401 in a row for these tokens. @returns whether that was at least a minute ago. */
  private async note({ uuid, sealed }: Connection): Promise<boolean> {
    const [row] = await this.deps.db.query<{ isForAMinute: boolean }>(
      `WITH noted AS (
         UPDATE integrations SET unauthorized_since = clock_now()
         WHERE id = $1 AND credentials = $2 AND unauthorized_since IS NULL)
       SELECT coalesce(unauthorized_since <= clock_now() - interval '1 minute', false) AS "isForAMinute"
       FROM integrations WHERE id = $1 AND credentials = $2`,
      [uuid, sealed],
    );
    return row?.isForAMinute ?? false;
  }

  /** Claims the one probe of this minute, by the database's clock. A probe that dies counts, too. */
  private async mayProbe({ uuid, sealed }: Connection): Promise<boolean> {
    const taken = await this.deps.db.query(
      `UPDATE integrations SET probed_at = clock_now()
       WHERE id = $1 AND credentials = $2 AND status = 'connected' AND deleted_at IS NULL
         AND (probed_at IS NULL OR probed_at <= clock_now() - interval '1 minute') RETURNING 1 AS one`,
      [uuid, sealed],
    );
    return taken.length > 0;
  }
}

/** Whether the application can be asked if the credentials work. */
function isAskable({ app, credentials }: Connection): boolean {
  return isVerifiable(app, kindOf(credentials));
}
