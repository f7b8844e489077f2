import { columnsOf } from '../../../platform/db/columns.js';
import { type Queryable, type Transaction } from '../../../platform/db/database.js';
import { type WantedConnection } from '../connected-by-reference.js';
import { ConnectSession } from './connect-session.entity.js';
import { type ConnectSessions } from './connect-session.service.js';

/**
 * The latest of these sessions that can still make the connection. One cannot if its integration was deleted, or belongs to
 * another end user by now.
 */
const LATEST = `SELECT ${columnsOf(ConnectSession, 's')} FROM connect_sessions s
  WHERE s.id = ANY($1) AND NOT EXISTS (
    SELECT 1 FROM integrations i WHERE (i.id = s.integration_id OR i.connect_session_id = s.id)
      AND (i.deleted_at IS NOT NULL OR (i.connected_at IS NOT NULL AND i.reference IS DISTINCT FROM s.reference)))
  ORDER BY s.id DESC LIMIT 1`;

/** An integration that never worked is continued only if it has no parameters: a person could not correct them. */
const TO_RECONNECT = `SELECT i.id FROM integrations i
  WHERE i.account_id = $1 AND i.type = $2 AND i.reference = $3 AND i.deleted_at IS NULL AND i.status <> 'connected'
    AND (i.connected_at IS NOT NULL OR i.parameters::text = '{}')
  ORDER BY i.connected_at DESC NULLS LAST, i.id DESC LIMIT 1`;

/** The sessions with which end users make the connections that runs wait for. Their tokens and tickets are thrown away. */
export class UserSessions {
  constructor(private readonly sessions: ConnectSessions) {}

  /** The latest of the sessions that can still make their connection; undefined if there is none. */
  async latest(on: Queryable, uuids: readonly string[]): Promise<ConnectSession | undefined> {
    const [session] = uuids.length === 0 ? [] : await on.select(ConnectSession, LATEST, [uuids]);
    return session;
  }

  /**
   * A session that is not stored yet. It reconnects the end user's integration that worked last, or else makes one with
   * the reference.
   */
  async draft(
    on: Queryable,
    { accountId, type, reference }: WantedConnection,
    expiresAt: Date,
  ): Promise<ConnectSession> {
    const [former] = await on.query<{ id: string }>(TO_RECONNECT, [accountId, type, reference]);
    const integrationId = former?.id ?? null;
    const open = { label: null, returnUrl: null, parameters: null };
    return this.sessions.draft({ accountId, type, integrationId, reference, ...open, expiresAt }).session;
  }

  /** Stores a drafted session, or lets a stored one live at least until its new end. */
  async keep(tx: Transaction, session: ConnectSession, isStored: boolean, expiresAt: Date): Promise<void> {
    if (!isStored) return this.sessions.insert(tx, session);
    await tx.query(`UPDATE connect_sessions SET expires_at = greatest(expires_at, $2) WHERE id = $1`, [
      session.uuid,
      expiresAt,
    ]);
  }
}
