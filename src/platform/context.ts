import DataLoader from 'dataloader';
import { type AppError } from './errors.js';
import { attributeTo, type Author } from './admission/origin.js';

/** The scope of an API key. */
export type Scope = 'read-only' | 'read-write';

/** A verified API key. */
export interface KeyCaller {
  kind: 'key';
  accountId: string;
  keyId: string;
  scope: Scope;
  expiresAt: Date | null;
}

/**
 * A browser with the token of a connect session. It may start one flow and await it; everything else of the account is
 * out of its reach.
 */
export interface ConnectSessionCaller {
  kind: 'connect_session';
  accountId: string;
  sessionId: string;
  /** The uuid of the integration that the session reconnects; null for a session that creates its own. */
  integrationId: string | null;
  expiresAt: Date;
}

/** A user signed in to the dashboard. */
export interface PersonCaller {
  kind: 'person';
  accountId: string;
  userId: string;
  sessionId: string;
  expiresAt: Date;
}

/** The authenticated caller. Every query carries its account. */
export type Caller = KeyCaller | ConnectSessionCaller | PersonCaller;

/** The message for a connect session that requests more. */
export const NOT_FOR_SESSIONS =
  'A connect session may start its own flow, await its own integration and read the types, and nothing else.';

/** The error as a caller sees it: users learn nothing about other accounts. */
export function errorFor(caller: Caller | undefined, error: AppError): AppError {
  return caller?.kind === 'person' ? (error.options.toPersons ?? error) : error;
}

/** The uuid by which requests, long polls and connections of a caller are counted. */
export function callerId(caller: Caller): string {
  return caller.kind === 'key' ? caller.keyId : caller.sessionId;
}

/** The author of the changes by a caller. */
export function authorOf(caller: Caller): Author {
  switch (caller.kind) {
    case 'person':
      return { kind: 'user', uuid: caller.userId, name: null };
    case 'key':
      return { kind: 'api_key', uuid: caller.keyId, name: null };
    case 'connect_session':
      return { kind: 'connect_session', uuid: caller.sessionId, name: null };
  }
}

/** The sender that the rates of a caller are counted by. */
export function senderOf(caller: Caller): { id: string; account: string } {
  return { id: callerId(caller), account: caller.accountId };
}

/**
 * Signals that the client has disconnected. An `AbortController` creates its signal at the first use: 5 µs that few
 * operations need.
 */
export type Client = Pick<AbortController, 'signal'>;

/** The context of one operation, the same for every transport. Changes of its request are attributed to its caller. */
export class RequestContext {
  /** Keys of a `config` that have no effect, with their paths. REST finds them itself. */
  readonly ignoredNames = new Set<string>();
  /** Tells a transport with a time limit that the operation may take this many milliseconds from now. */
  needsTime: (milliseconds: number) => void = () => undefined;
  private readonly loaders = new Map<object, Pick<DataLoader<unknown, unknown>, 'load'>>();

  constructor(
    readonly requestId: string,
    readonly caller: Caller,
    private readonly client: Client = new AbortController(),
    /** Closes the connection of a subscriber that does not read its events. */
    readonly onSlowReader: () => void = () => undefined,
    /** The number of consecutive runs of this service that led to this operation. */
    readonly hops = 0,
    /** Whether keys of a `config` that its trigger or action does not know are refused instead of ignored. */
    readonly strictNames = false,
  ) {
    attributeTo(authorOf(caller));
  }

  /** Aborts when the client has disconnected. Created at its first use. */
  get signal(): AbortSignal {
    return this.client.signal;
  }

  get accountId(): string {
    return this.caller.accountId;
  }

  /**
   * Loads a key together with all keys that this operation asks `owner` for in the same turn, so that links cost one
   * statement a level. `load` returns the values in the order of the keys; that of the owner's first call loads all.
   */
  batch<K, V, C>(
    owner: object,
    key: K,
    load: DataLoader.BatchLoadFn<K, V>,
    options: Pick<DataLoader.Options<K, V, C>, 'cache' | 'cacheKeyFn'> = {},
  ): Promise<V> {
    let loader = this.loaders.get(owner) as DataLoader<K, V, C> | undefined;
    if (loader === undefined) {
      loader = new DataLoader(load, options);
      this.loaders.set(owner, loader);
    }
    return loader.load(key);
  }
}

/**
 * The permission that a root field requires. `person` is for operations that an API key may never perform; `follow`
 * (reading) and `connect` (writing) are open to connect sessions too.
 */
export type Access = 'read' | 'follow' | 'write' | 'connect' | 'reconnect' | 'person';
