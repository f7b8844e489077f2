import { type IncomingMessage } from 'node:http';
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
 * How long an answer of the database about a key is used, counted from before it was asked: a revoked key is refused
 * within a second everywhere, even when nobody can be told. In milliseconds.
 */
const FRESH_MS = 900;
/** Beyond this many keys the oldest answers are forgotten. */
const CACHE_SIZE = 10_000;

interface Answer {
  asked: number;
  caller: Caller | undefined;
}

/** Where the tokens of connect sessions are known, by their SHA-256. */
export interface SessionTokens {
  callerOf(digest: Buffer): Promise<ConnectSessionCaller | undefined>;
}

/** Where the sessions of people are known, by the cookie of a request. */
export interface Persons {
  /** @throws AppError `forbidden` for the cookie of a request that comes from another origin. */
  tokenOf(request: IncomingMessage): string | undefined;
  callerOf(digest: Buffer): Promise<PersonCaller | undefined>;
}

/** What a secret is, by which it is known where to ask for it. */
type SecretKind = Caller['kind'];

/**
 * Checks API keys, tokens of connect sessions and sessions of people, as the specification's Authentication demands; answers are remembered
 * for less than a second.
 */
export class Authentication {
  private readonly answers = new Map<string, Answer>();
  private readonly asking = new Map<string, Promise<Caller | undefined>>();
  private readonly keys: KeyLookups;
  private readonly uses: LastUses;
  /** Moves on with each change of a key, so that an answer asked for before it is not kept. */
  private changes = 0;

  constructor(
    db: Database,
    private readonly clock: Clock,
    logger: Logger,
    notifications: Notifications,
    private readonly sessions: SessionTokens,
    private readonly persons: Persons,
  ) {
    this.keys = new KeyLookups(db);
    this.uses = new LastUses(db, clock, logger);
    notifications.on(apiKeyChanged, ({ keyId }) => this.forget(keyId));
    notifications.on(sessionsEnded, ({ userId }) =>
      this.forgetWhere((caller) => caller.kind === 'person' && caller.userId === userId),
    );
  }

  /**
   * Who sends a request, by its one `Authorization` header; without any, by the cookie of a person.
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
    if (values.length !== 1) throw unauthorized(values.length === 0 ? 'missing' : 'repeated');
    return this.ofHeader(values[0]!);
  }

  /** Who holds the key, or the token, of `Bearer <key>`. @throws AppError `unauthorized`. */
  async ofHeader(header: string): Promise<Caller> {
    if (!header.startsWith('Bearer ')) throw unauthorized('malformed');
    const text = header.slice('Bearer '.length);
    if (isKeyText(text)) return this.ofSecret(text, 'key');
    if (isSessionText(text)) return this.ofSecret(text, 'connect_session');
    throw unauthorized('invalid');
  }

  private async ofSecret(text: string, kind: SecretKind): Promise<Caller> {
    const caller = await this.lookUp(text, kind);
    if (caller === undefined || isExpired(caller, this.clock.now())) throw unauthorized('invalid');
    if (caller.kind === 'key') this.uses.note(caller.keyId);
    return caller;
  }

  /** Drops what is known of a key: the next request asks the database. */
  forget(keyId: string): void {
    this.forgetWhere((caller) => caller.kind === 'key' && caller.keyId === keyId);
  }

  private forgetWhere(isChanged: (caller: Caller) => boolean): void {
    this.changes += 1;
    this.asking.clear();
    for (const [digest, { caller }] of this.answers) {
      if (caller !== undefined && isChanged(caller)) this.answers.delete(digest);
    }
  }

  private async lookUp(text: string, kind: SecretKind): Promise<Caller | undefined> {
    const digest = sha256(text).toString('latin1');
    const answer = this.answers.get(digest);
    if (answer !== undefined && performance.now() - answer.asked < FRESH_MS) return answer.caller;
    let asked = this.asking.get(digest);
    if (asked === undefined) {
      // Whoever asks for the same meanwhile waits for this.
      asked = workForCallers(() => this.ask(digest, kind)).finally(() => {
        if (this.asking.get(digest) === asked) this.asking.delete(digest);
      });
      this.asking.set(digest, asked);
    }
    return asked;
  }

  private async ask(digest: string, kind: SecretKind): Promise<Caller | undefined> {
    const [asked, changes] = [performance.now(), this.changes];
    const bytes = Buffer.from(digest, 'latin1');
    const caller = await this.askFor(kind, bytes);
    if (this.changes !== changes) return this.ask(digest, kind);
    this.answers.delete(digest);
    if (this.answers.size >= CACHE_SIZE) this.answers.delete(this.answers.keys().next().value!);
    this.answers.set(digest, { asked, caller });
    return caller;
  }

  private askFor(kind: SecretKind, digest: Buffer): Promise<Caller | undefined> {
    const known = { key: this.keys, person: this.persons, connect_session: this.sessions }[kind];
    return known.callerOf(digest);
  }
}

/** Whether the end of a key or session has come. */
export function isExpired(caller: Caller, now: Date): boolean {
  return caller.expiresAt !== null && caller.expiresAt <= now;
}

function unauthorized(how: string): AppError {
  const message =
    how === 'invalid'
      ? 'The API key or token is unknown, revoked or has expired.'
      : `The Authorization header is ${how}. Send exactly one: "Authorization: Bearer <API key>".`;
  return new AppError('unauthorized', message);
}
