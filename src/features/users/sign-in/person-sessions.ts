import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Clock } from '../../../platform/clock.js';
import { type PersonCaller } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { AppError } from '../../../platform/errors.js';
import { isSameOrigin } from '../../../platform/http/inbound/same-origin.js';
import { sha256 } from '../../../platform/encryption/secrets.js';
import { SESSION_SECONDS } from './auth-library.js';
import { type SessionCookie } from './session-cookie.js';

/** A session is extended when its end can move by at least this much, in milliseconds. */
const RENEWED_AFTER = 86_400_000;

/**
 * A client may lock the row for seconds, and the account is not yet the one that waits. So nothing waits for the row: the
 * next request extends the session.
 */
const RENEW = `
  UPDATE user_sessions SET expires_at = $2, updated_at = $3
  WHERE id = (SELECT id FROM user_sessions WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING 1 AS one`;

/** The sessions of persons, found by the cookie of requests from the service's own origin. */
export class PersonSessions {
  private readonly origin: string;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly cookie: SessionCookie,
    baseUrl: string,
  ) {
    this.origin = new URL(baseUrl).origin;
  }

  /**
   * The token in the session cookie of a request; undefined without a correctly signed one.
   * @throws AppError `forbidden` if the cookie comes with a request from another origin.
   */
  tokenOf(request: IncomingMessage): string | undefined {
    if (!this.cookie.isIn(request)) return undefined;
    if (!isSameOrigin(request, this.origin)) {
      throw new AppError('forbidden', 'The dashboard session works only from the pages of the service itself.');
    }
    return this.cookie.tokenIn(request);
  }

  /** Whether a request carries the cookie from a page of another origin. */
  isForeign(request: IncomingMessage): boolean {
    return this.cookie.isIn(request) && !isSameOrigin(request, this.origin);
  }

  /** The person whose session token has this SHA-256. May return an expired session. */
  async callerOf(digest: Buffer): Promise<PersonCaller | undefined> {
    const [row] = await this.db.query<{ sessionId: string; userId: string; accountId: string; expiresAt: Date }>(
      `SELECT s.id AS "sessionId", u.id AS "userId", u.account_id AS "accountId", s.expires_at AS "expiresAt"
       FROM user_sessions s JOIN users u ON u.id = s.user_id WHERE s.digest = $1`,
      [digest],
    );
    return row && { kind: 'person', ...row };
  }

  /** The person who sent a request, read from the table without a cache. */
  async ofRequest(request: IncomingMessage): Promise<PersonCaller | undefined> {
    const token = this.tokenOf(request);
    const caller = token === undefined ? undefined : await this.callerOf(sha256(token));
    return caller !== undefined && caller.expiresAt > this.clock.now() ? caller : undefined;
  }

  /** Extends a session, at most once a day. @returns the new end; undefined if it stays the same, or its row is locked. */
  async renew({ sessionId, expiresAt }: PersonCaller): Promise<Date | undefined> {
    const end = new Date(this.clock.now().getTime() + SESSION_SECONDS * 1_000);
    if (end.getTime() - expiresAt.getTime() < RENEWED_AFTER) return undefined;
    const rows = await this.db.query(RENEW, [sessionId, end, this.clock.now()]);
    return rows.length === 0 ? undefined : end;
  }

  /**
   * Extends the session of an unanswered request, and its cookie. Updates `caller.expiresAt`, also for caches of the
   * caller.
   */
  async keep(request: IncomingMessage, response: ServerResponse, caller: PersonCaller): Promise<void> {
    const [token, end] = [this.cookie.tokenIn(request), await this.renew(caller)];
    if (token === undefined || end === undefined) return;
    caller.expiresAt = end;
    response.setHeader('set-cookie', this.cookie.keep(token, SESSION_SECONDS));
  }
}
