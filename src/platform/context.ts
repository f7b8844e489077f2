import type DataLoader from 'dataloader';
import { type AppError } from './errors.js';

/** Scopes of API keys, in the words of the specification. */
export type Scope = 'read-only' | 'read-write';

/** An API key that was checked. */
export interface KeyCaller {
  kind: 'key';
  accountId: string;
  keyId: string;
  scope: Scope;
  expiresAt: Date | null;
}

/** A browser with the token of a connect session: it may start one flow and await it, and nothing else of the account. */
export interface ConnectSessionCaller {
  kind: 'connect_session';
  accountId: string;
  sessionId: string;
  /** The uuid of the integration that the session was made to reconnect; null for one that makes its own. */
  integrationId: string | null;
  expiresAt: Date;
}

/** A person who is signed in to the dashboard. */
export interface PersonCaller {
  kind: 'person';
  accountId: string;
  userId: string;
  sessionId: string;
  expiresAt: Date;
}

/** Who asks. Every query carries its account. */
export type Caller = KeyCaller | ConnectSessionCaller | PersonCaller;

/** What a connect session is told that reaches for more. */
export const NOT_FOR_SESSIONS =
  'A connect session may start its own flow, await its own integration and read the types, and nothing else.';

/** What a caller is told of an error: persons learn nothing of other accounts. */
export function errorFor(caller: Caller | undefined, error: AppError): AppError {
  return caller?.kind === 'person' ? (error.options.toPersons ?? error) : error;
}

/** The uuid that a caller's requests, waits and connections are counted by. */
export function callerId(caller: Caller): string {
  return caller.kind === 'key' ? caller.keyId : caller.sessionId;
}

/** Tells that the client has gone. An `AbortController` makes its signal at the first use: 5 µs that few operations need. */
export type Client = Pick<AbortController, 'signal'>;

/** What travels with one operation, whatever door it came through. */
export class RequestContext {
  private readonly loaders = new Map<object, DataLoader<never, unknown>>();

  constructor(
    readonly requestId: string,
    readonly caller: Caller,
    private readonly client: Client = new AbortController(),
    /** Ends the connection of a subscriber that does not read what it asked for. */
    readonly onSlowReader: () => void = () => undefined,
    /** How many of our own runs in a row led to this operation. */
    readonly hops = 0,
  ) {}

  /** Aborted when the client has gone. Made when it is first asked for. */
  get signal(): AbortSignal {
    return this.client.signal;
  }

  get accountId(): string {
    return this.caller.accountId;
  }

  /** The batch loader of `owner` for this operation, made at its first use, so that links cost one statement a level. */
  loader<K, V>(owner: object, create: () => DataLoader<K, V>): DataLoader<K, V> {
    let loader = this.loaders.get(owner) as DataLoader<K, V> | undefined;
    if (loader === undefined) {
      loader = create();
      this.loaders.set(owner, loader);
    }
    return loader;
  }
}

/**
 * What a root field demands of its caller. `person` is for what an API key may never do; `follow` (reading), `connect` and
 * `reconnect` (writing) are for what a connect session may do too.
 */
export type Access = 'read' | 'follow' | 'write' | 'connect' | 'reconnect' | 'person';
