import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { type Caller, callerId } from '../../platform/context.js';
import { errorFields, type Logger } from '../../platform/logging/logger.js';
import { apiKeyChanged } from '../api-keys/api-key.events.js';
import { sessionsEnded } from '../users/sign-in/session.events.js';
import { isExpired } from './authentication.js';

const TICK_MS = 500;
/** Ticks between two looks at the table although nothing was missed, as a second wall. */
const TICKS_PER_CHECK = 20;

/** What a table says of a key or session; of one that is gone it says nothing. */
interface Standing {
  id: string;
  expires_at: Date | null;
  revoked: boolean;
}

const KEYS = `SELECT id, expires_at, revoked_at IS NOT NULL AS revoked FROM api_keys WHERE id = ANY($1)`;
const SESSIONS = `SELECT id, expires_at, false AS revoked FROM user_sessions WHERE id = ANY($1)`;

interface Watched {
  caller: Caller;
  onEnd: () => void;
}

/**
 * Tells long-lived connections that their key is over: revoked, expired or shortened by a rotation, within a second; and
 * so of the session of a person, who may sign out or be removed. Those of a connect session end with it; nothing revokes
 * one.
 */
export class KeyWatch {
  private readonly watched = new Map<string, Set<Watched>>();
  private timer: NodeJS.Timeout | undefined;
  private ticks = 0;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly notifications: Notifications,
  ) {
    notifications.on(apiKeyChanged, ({ keyId }) => void this.check([keyId]));
    notifications.on(sessionsEnded, ({ userId }) => void this.check(this.sessionsOf(userId)));
    // A change may have passed unheard between two ticks, while the connection was lost for a moment.
    notifications.onResync(() => void this.check([...this.watched.keys()]));
  }

  start(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Calls `onEnd` once when the key or session is over. @returns the function that stops watching. */
  watch(caller: Caller, onEnd: () => void): () => void {
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
    this.ticks += 1;
    const now = this.clock.now();
    for (const entries of this.watched.values()) {
      for (const entry of entries) if (isExpired(entry.caller, now)) this.end(entry);
    }
    if (!this.notifications.healthy || this.ticks % TICKS_PER_CHECK === 0) void this.check([...this.watched.keys()]);
  }

  /** Asks for all of them in one statement a table. */
  private async check(ids: string[]): Promise<void> {
    await Promise.all([this.checkIn('key', KEYS, ids), this.checkIn('person', SESSIONS, ids)]);
  }

  private async checkIn(kind: Caller['kind'], statement: string, ids: string[]): Promise<void> {
    const known = ids.filter((id) => this.callerOf(id)?.kind === kind);
    if (known.length === 0) return;
    try {
      const rows = await this.db.query<Standing>(statement, [known]);
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

  private apply(id: string, standing: Standing | undefined): void {
    for (const entry of this.watched.get(id) ?? []) {
      if (standing === undefined || standing.revoked) this.end(entry);
      else Object.assign(entry.caller, { expiresAt: standing.expires_at });
    }
  }

  private end(entry: Watched): void {
    this.watched.get(callerId(entry.caller))?.delete(entry);
    entry.onEnd();
  }
}
