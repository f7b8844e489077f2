import { recordAudit } from '../../audit-log/record-audit.js';
import { type Clock } from '../../../platform/clock.js';
import { type PersonCaller } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { notFound } from '../../../platform/errors.js';
import { fromPublicId, toPublicId } from '../../../platform/ids/ids.js';
import { type Notifications } from '../../../platform/notifications/notifications.js';
import { userAudit } from '../user-audit.js';
import { sessionsEnded } from './session.events.js';

/** The most sessions that a list has; a person with more ends them all at once. */
const MAX_LISTED = 100;

/** A session as its person sees it. */
export interface OwnSession {
  /** `ses_…`. It is not the token, and opens nothing. */
  id: string;
  created_at: Date;
  /** Exact to the day: a session is extended once a day. */
  used_at: Date;
  /** The address and browser at sign-in; null if the request did not say. */
  address: string | null;
  user_agent: string | null;
  /** Whether the request belongs to this session. */
  current: boolean;
}

/** The sessions of the signed-in person. */
export class OwnSessions {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  /** The open sessions, the most recently used first. */
  async list({ userId, sessionId }: PersonCaller): Promise<OwnSession[]> {
    const rows = await this.db.query<Omit<OwnSession, 'current'>>(
      `SELECT id, created_at, updated_at AS used_at, nullif(ip_address, '') AS address, nullif(user_agent, '') AS user_agent
       FROM user_sessions WHERE user_id = $1 AND expires_at > $2 ORDER BY updated_at DESC, id DESC LIMIT ${MAX_LISTED}`,
      [userId, this.clock.now()],
    );
    return rows.map((row) => ({ ...row, id: toPublicId('ses', row.id), current: row.id === sessionId }));
  }

  /** Ends one session: its requests get 401, and its connections close. @throws AppError `not_found`. */
  async end({ userId, accountId }: PersonCaller, id: unknown): Promise<void> {
    const uuid = typeof id === 'string' ? fromPublicId('ses', id) : undefined;
    if (uuid === undefined) throw notFound('session');
    await this.db.transaction(async (tx) => {
      const ended = await tx.query(`DELETE FROM user_sessions WHERE id = $1 AND user_id = $2 RETURNING 1 AS one`, [
        uuid,
        userId,
      ]);
      if (ended.length === 0) throw notFound('session');
      this.notifications.publish(tx, sessionsEnded, { userId });
      await recordAudit(tx, this.clock.now(), userAudit('user.sessions_ended', { accountId, uuid: userId }));
    });
  }
}
