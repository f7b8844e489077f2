import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { type Caller, callerId } from '../../platform/context.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';
import { apiKeyChanged } from '../api-keys/api-key.events.js';
import { sessionsEnded } from '../users/sign-in/session.events.js';
import { isExpired } from './authentication.js';

const TICK_MS = 500;

/** The state of a key or session in its table. A deleted one has no row. */
interface KeyState {
  id: string;
  expires_at: Date | null;
  revoked: boolean;
}

const KEYS = `SELECT id, expires_at, revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = ANY($1)`;
const SESSIONS = `SELECT id, expires_at, false AS revoked FROM user_sessions WHERE id = ANY($1)`;

interface Watched {
  caller: Caller;
  onEnd: (end: CallerEnd) => void;
}

/** How a caller ended: its time was over, or it was revoked, signed out or removed. */
export type CallerEnd = 'expired' | 'revoked';

/**
 * Ends long-lived connections within a second after their key was revoked, expired, or was shortened by a rotation, and
 * those of a person after sign-out or removal. A connect session can only expire.
 */
export class KeyWatch {
  private readonly watched = new Map<string, Set<Watched>>();
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
    notifications: Notifications,
  ) {
    notifications.on(apiKeyChanged, ({ keyId }) => void this.check([keyId]));
    notifications.on(sessionsEnded, ({ userId }) => void this.check(this.sessionsOf(userId)));
    // A notification may have been lost between two ticks, while the listening connection was down for a moment.
    notifications.onResync(() => void this.check([...this.watched.keys()]));
  }

  start(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Calls `onEnd` once when the key or session ends. @returns the function that stops watching. */
  watch(caller: Caller, onEnd: (end: CallerEnd) => void): () => void {
    const id = callerId(caller);
    const entry = { caller: { ...caller }, onEnd };
    const entries = this.watched.get(id) ?? new Set();
    this.watched.set(id, entries.add(entry));
    return () => {
      entries.delete(entry);
      if (entries.size === 0 && this.watched.get(id) === entries) this.watched.delete(id);
    };
  }

  private tick(): void {
    const now = this.clock.now();
    for (const entries of this.watched.values()) {
      for (const entry of entries) if (isExpired(entry.caller, now)) this.end(entry);
    }
    // The hint of a change may have been lost. A slow database is not asked again before it has responded.
    if (this.isLooking) return;
    this.isLooking = true;
    void this.check([...this.watched.keys()]).finally(() => (this.isLooking = false));
  }

  /** Checks all of them, with one statement for each table. */
  private async check(ids: string[]): Promise<void> {
    await Promise.all([this.checkIn('key', KEYS, ids), this.checkIn('person', SESSIONS, ids)]);
  }

  private async checkIn(kind: Caller['kind'], statement: string, ids: string[]): Promise<void> {
    const known = ids.filter((id) => this.callerOf(id)?.kind === kind);
    if (known.length === 0) return;
    try {
      const rows = await this.db.query<KeyState>(statement, [known]);
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const id of known) this.apply(id, found.get(id));
    } catch (error) {
      this.logger.warn(errorFields(error), 'open connections could not be checked');
    }
  }

  private callerOf(id: string): Caller | undefined {
    const [first] = this.watched.get(id) ?? [];
    return first?.caller;
  }

  private sessionsOf(userId: string): string[] {
    return [...this.watched.keys()].filter((id) => {
      const caller = this.callerOf(id);
      return caller?.kind === 'person' && caller.userId === userId;
    });
  }

  private apply(id: string, state: KeyState | undefined): void {
    for (const entry of this.watched.get(id) ?? []) {
      if (state === undefined || state.revoked) this.end(entry);
      else Object.assign(entry.caller, { expiresAt: state.expires_at });
    }
  }

  private end(entry: Watched): void {
    this.watched.get(callerId(entry.caller))?.delete(entry);
    entry.onEnd(isExpired(entry.caller, this.clock.now()) ? 'expired' : 'revoked');
  }
}
