import { type IncomingMessage } from 'node:http';
import { currentOrigin } from '../../platform/admission/origin.js';
import { type ResponsePace } from '../../platform/admission/response-pace.js';
import { networkOf } from '../../platform/http/inbound/client-address.js';
import { workForCallers } from '../../platform/admission/work.js';
import { AppError } from '../../platform/errors.js';
import { type Clock } from '../../platform/clock.js';
import { type Database } from '../../platform/db/database.js';
import { type Notifications } from '../../platform/notifications/notifications.js';
import { type Caller, type ConnectSessionCaller, type PersonCaller } from '../../platform/context.js';
import { type Logger } from '../../platform/logging/logger.js';
import { sha256 } from '../../platform/encryption/secrets.js';
import { sessionsEnded } from '../users/sign-in/session.events.js';
import { apiKeyChanged } from '../api-keys/api-key.events.js';
import { KeyLookups } from '../api-keys/key-lookups.js';
import { isKeyText, isSessionText } from '../api-keys/key-text.js';
import { LastUses } from '../api-keys/last-uses.js';

/**
 * How long a lookup is cached, in milliseconds from the start of its query. Every process refuses a revoked key within
 * a second, even if it receives no notification.
 */
const FRESH_MS = 900;
/** Cached lookups; beyond this number the oldest are dropped. */
const CACHE_SIZE = 10_000;

interface Answer {
  asked: number;
  caller: Caller | undefined;
}

/** Finds connect sessions by the SHA-256 of their tokens. */
export interface SessionTokens {
  callerOf(digest: Buffer): Promise<ConnectSessionCaller | undefined>;
}

/** Finds the sessions of persons by the cookie of a request. */
export interface Persons {
  /** @throws AppError `forbidden` for the cookie of a request that comes from another origin. */
  tokenOf(request: IncomingMessage): string | undefined;
  callerOf(digest: Buffer): Promise<PersonCaller | undefined>;
}

/** The kind of a secret decides where it is looked up. */
type SecretKind = Caller['kind'];

/**
 * Checks API keys, tokens of connect sessions and sessions of persons. Lookups are cached for less than a second.
 */
export class Authentication {
  private readonly answers = new Map<string, Answer>();
  private readonly asking = new Map<string, Promise<Caller | undefined>>();
  /** For each lookup under way: the ids of the keys and persons that have changed since its query began. */
  private readonly changedSince = new Set<Set<string>>();
  private readonly keys: KeyLookups;
  private readonly uses: LastUses;

  constructor(
    db: Database,
    private readonly clock: Clock,
    logger: Logger,
    notifications: Notifications,
    private readonly sessions: SessionTokens,
    private readonly persons: Persons,
    /** Undefined: refusals are sent at once. */
    private readonly refusals?: ResponsePace,
  ) {
    this.keys = new KeyLookups(db);
    this.uses = new LastUses(db, clock, logger);
    notifications.on(apiKeyChanged, ({ keyId }) => this.forget(keyId));
    notifications.on(sessionsEnded, ({ userId }) => this.forget(userId));
  }

  /**
   * The caller of a request, from its single `Authorization` header or else from the cookie of a person.
   * @throws AppError `unauthorized`, or `forbidden` for a cookie from another origin.
   */
  async ofRequest(request: IncomingMessage): Promise<Caller> {
    const values: string[] = [];
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      if (request.rawHeaders[i]!.toLowerCase() === 'authorization') values.push(request.rawHeaders[i + 1]!);
    }
    if (values.length === 0) {
      const token = this.persons.tokenOf(request);
      if (token !== undefined) return this.ofSecret(token, 'person');
    }
    if (values.length !== 1) throw this.unauthorized(values.length === 0 ? 'missing' : 'repeated');
    return this.ofHeader(values[0]!);
  }

  /** The caller that holds the key or token of `Bearer <key>`. @throws AppError `unauthorized`. */
  async ofHeader(header: string): Promise<Caller> {
    if (!header.startsWith('Bearer ')) throw this.unauthorized('malformed');
    const text = header.slice('Bearer '.length);
    if (isKeyText(text)) return this.ofSecret(text, 'key');
    if (isSessionText(text)) return this.ofSecret(text, 'connect_session');
    throw this.unauthorized('invalid');
  }

  private async ofSecret(text: string, kind: SecretKind): Promise<Caller> {
    const caller = await this.lookUp(text, kind);
    if (caller === undefined || isExpired(caller, this.clock.now())) throw this.unauthorized('invalid');
    if (caller.kind === 'key') this.uses.note(caller.keyId);
    return caller;
  }

  /** Stores the last uses of keys that are not stored yet. */
  stop(): Promise<void> {
    return this.uses.stop();
  }

  /** Drops a key, or the sessions of a person, from the cache: the next request queries the database. */
  forget(id: string): void {
    for (const changed of this.changedSince) changed.add(id);
    for (const [digest, { caller }] of this.answers) {
      if (caller !== undefined && changeOf(caller) === id) this.answers.delete(digest);
    }
  }

  private async lookUp(text: string, kind: SecretKind): Promise<Caller | undefined> {
    const digest = sha256(text).toString('latin1');
    const answer = this.answers.get(digest);
    if (answer !== undefined && performance.now() - answer.asked < FRESH_MS) return answer.caller;
    let asked = this.asking.get(digest);
    if (asked === undefined) {
      // Concurrent requests with the same secret share this lookup.
      asked = workForCallers(() => this.ask(digest, kind)).finally(() => {
        if (this.asking.get(digest) === asked) this.asking.delete(digest);
      });
      this.asking.set(digest, asked);
    }
    return asked;
  }

  private async ask(digest: string, kind: SecretKind): Promise<Caller | undefined> {
    const asked = performance.now();
    const changed = new Set<string>();
    this.changedSince.add(changed);
    const caller = await this.askFor(kind, Buffer.from(digest, 'latin1')).finally(() =>
      this.changedSince.delete(changed),
    );
    const isStale = caller !== undefined && changed.has(changeOf(caller) ?? '');
    // Requests that came after the change share this lookup.
    if (isStale) return this.ask(digest, kind);
    // The key may have been created in the meantime: its absence is not cached.
    if (caller === undefined && changed.size > 0) return undefined;
    this.answers.delete(digest);
    if (this.answers.size >= CACHE_SIZE) this.answers.delete(this.answers.keys().next().value!);
    this.answers.set(digest, { asked, caller });
    return caller;
  }

  private askFor(kind: SecretKind, digest: Buffer): Promise<Caller | undefined> {
    const known = { key: this.keys, person: this.persons, connect_session: this.sessions }[kind];
    return known.callerOf(digest);
  }

  private unauthorized(how: string): AppError {
    const message =
      how === 'invalid'
        ? 'The API key or token is unknown, revoked or has expired.'
        : `The Authorization header is ${how}. Send exactly one: "Authorization: Bearer <API key>".`;
    const { address } = currentOrigin();
    const holdMs = address === null ? 0 : this.refusals?.next(networkOf(address));
    return new AppError('unauthorized', message, { holdMs });
  }
}

/** The id whose change concerns a caller: of its key or person. A connect session has none. */
function changeOf(caller: Caller): string | undefined {
  if (caller.kind === 'key') return caller.keyId;
  return caller.kind === 'person' ? caller.userId : undefined;
}

/** Whether a caller's key or session has expired at `now`. */
export function isExpired(caller: Caller, now: Date): boolean {
  return caller.expiresAt !== null && caller.expiresAt <= now;
}
