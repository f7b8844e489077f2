import { type IncomingMessage, type Server } from 'node:http';
import { type Duplex } from 'node:stream';
import { type GraphQLError } from 'graphql';
import { type Context, handleProtocols, makeServer, type Server as Protocol, type ServerOptions } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { type UnreadBytes } from '../../../platform/admission/unread-bytes.js';
import { type Authentication } from '../../../features/authentication/authentication.js';
import { type KeyWatch } from '../../../features/authentication/key-watch.js';
import { type Caller, RequestContext, senderOf } from '../../../platform/context.js';
import { type LongWork } from '../../../platform/admission/long-work.js';
import { asRequest } from '../../../platform/admission/origin.js';
import { type RateLimits } from '../../../platform/admission/rate-limits.js';
import { AppError, type ErrorCode, toAppError, validationError } from '../../../platform/errors.js';
import { MAX_BODY_BYTES } from '../../../platform/http/inbound/inbound-body.js';
import { errorFields, type Logger } from '../../../platform/logging/logger.js';
import { CLOSE } from './close-codes.js';
import { ConnectionPlaces } from './connection-places.js';
import { type PlaceLeases } from '../../../platform/processes/siblings.js';
import { finishEvent, formatError, logError, toGraphQLError } from '../errors.js';
import { SHORT_DOCUMENT } from '../operation-request.js';
import { type SharedExecution } from './shared-execution.js';
import { EventTexts, handOn, subscribe } from './subscribe.js';
import { type SubscriptionDocuments } from './subscription-documents.js';
import { SubscriptionSocket } from './subscription-socket.js';
import { type SubscriptionSpace } from './subscription-space.js';

/** The time for `connection_init` after a socket has opened, in milliseconds. */
export const INIT_TIMEOUT_MS = 3_000;
/** The maximum of subscriptions of one socket. */
export const SUBSCRIPTIONS_PER_SOCKET = 100;
const CLOSING_MS = 5_000;
/** Frames of one message, and network chunks of one frame: each is an object in memory, however short. */
const MAX_PARTS = 512;
/** Characters of a subscription's id, which the client chooses: each of its messages repeats it. */
const MAX_ID_LENGTH = 255;
const NO_KEY = 'The payload of connection_init has no authorization';
/** Subscriptions end without being aborted, so they all share one signal that never fires. */
/** The errors of a key that is not valid; all others pass, so that the client tries again. */
const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>(['unauthorized', 'forbidden']);
const NEVER = new AbortController();

interface Extra extends Record<PropertyKey, unknown> {
  socket: WebSocket;
  door: SubscriptionSocket;
  /** Dropped after authentication: it takes a tenth of a subscriber's memory. */
  request?: IncomingMessage;
  /** Identifies the socket in the log. */
  requestId: string;
  caller?: Caller;
}

type InitPayload = Record<string, unknown>;

/** Collaborators of `WsSubscriptions`. */
export interface WsDependencies {
  documents: SubscriptionDocuments;
  execution: SharedExecution;
  authentication: Authentication;
  keyWatch: KeyWatch;
  rates: RateLimits;
  longWork: LongWork;
  /** Whether an upgrade from a page of another origin carries a session cookie. */
  isForeign: (request: IncomingMessage) => boolean;
  /** As in `Listeners`. */
  addressOf: (request: IncomingMessage) => string;
  keylessDelay: (request: IncomingMessage) => number;
  unread: UnreadBytes;
  space: SubscriptionSpace;
  /** The places of sockets, if several processes share them. */
  places: PlaceLeases | undefined;
  logger: Logger;
  newRequestId: () => string;
}

/** Subscriptions over WebSocket, sub-protocol `graphql-transport-ws`, at `/graphql`. */
export class WsSubscriptions {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    maxFragments: MAX_PARTS,
    maxBufferedChunks: MAX_PARTS,
    autoPong: false,
    handleProtocols,
  });
  private readonly protocol: Protocol<Extra>;
  private readonly connections: ConnectionPlaces;

  constructor(private readonly deps: WsDependencies) {
    this.protocol = makeServer(this.options());
    this.connections = new ConnectionPlaces(deps.places);
  }

  /** Handles a server's upgrade requests; those for paths other than `/graphql` are refused. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', destroy);
      // The key comes later, if at all.
      const delay = this.deps.keylessDelay(request);
      if (delay === 0) this.open(request, socket, head);
      else setTimeout(() => socket.destroyed || this.open(request, socket, head), delay);
    });
  }

  private open(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [path] = (request.url ?? '/').split('?', 1);
    if (path !== '/graphql' && path !== '/graphql/') return refuse(socket, '404 Not Found');
    // The page may have a key, but its browser also sends the cookie, unasked.
    if (this.deps.isForeign(request)) return refuse(socket, '403 Forbidden');
    this.sockets.handleUpgrade(request, socket, head, (ws) => {
      const door = new SubscriptionSocket(ws, socket, this.deps);
      door.serve(this.protocol, { socket: ws, door, request, requestId: this.deps.newRequestId() });
    });
  }

  get count(): number {
    return this.sockets.clients.size;
  }

  /** Closes every socket with 1001 and accepts no more. Sockets that do not answer are cut after CLOSING_MS. */
  async close(): Promise<void> {
    this.sockets.clients.forEach((client) => client.close(CLOSE.goingAway, 'Going away'));
    const cut = setTimeout(() => this.sockets.clients.forEach((client) => client.terminate()), CLOSING_MS);
    await new Promise((resolve) => this.sockets.close(resolve));
    clearTimeout(cut);
  }

  private options(): ServerOptions<InitPayload, Extra> {
    const { execution, space, logger } = this.deps;
    return {
      connectionInitWaitTimeout: INIT_TIMEOUT_MS,
      onConnect: (context) => this.connect(context),
      onSubscribe: (context, id) => this.prepare(context, id, context.extra.door.takePayload()),
      subscribe: (args) => subscribe(args, execution, space) as ReturnType<NonNullable<ServerOptions['subscribe']>>,
      onOperation: ({ extra }, id, _payload, _args, results) =>
        results instanceof EventTexts ? delivery(results, extra.door, id) : undefined,
      // A result that is not a stream holds the errors.
      onNext: (_context, _id, _payload, { contextValue }, result) =>
        finishEvent(logger, contextValue as RequestContext, result),
      onError: ({ extra }, _id, _payload, errors) =>
        (errors as GraphQLError[]).map((error) => {
          logError(logger, extra.requestId, error);
          return formatError(error, extra);
        }),
    };
  }

  /** A subscription ready to begin, or its errors. Each message waits for its turn before any work. */
  private async prepare(context: Context<InitPayload, Extra>, id: string, payload: object) {
    const { extra, subscriptions } = context;
    const caller = extra.caller!;
    const [sender, { documents, longWork, rates, space }] = [senderOf(caller), this.deps];
    const held: (() => void)[] = [];
    try {
      if (Object.keys(subscriptions).length > SUBSCRIPTIONS_PER_SOCKET) throw tooManySubscriptions();
      if (id.length > MAX_ID_LENGTH) throw tooLong('id', MAX_ID_LENGTH);
      held.push(space.holdJson(caller.accountId, payload));
      await rates.turn('subscribe', sender);
      // Only now: of many that come back with one document, the first has made it known.
      const newness = documents.newnessOf(payload);
      if (newness === 0) await longWork.piece(caller.accountId, SHORT_DOCUMENT);
      else if (newness !== undefined) {
        await rates.turn('subscribe', sender, newness);
        await longWork.turn(caller.accountId);
      }
      const prepared = documents.prepare(this.contextOf(extra), payload);
      if (!('args' in prepared)) {
        await extra.door.hold(rates.delayOfFault(caller.accountId));
        return prepared;
      }
      const { args, weight } = prepared;
      held.push(space.holdDocument(caller.accountId, args.document));
      if (weight > 1) await rates.turn('subscribe', sender, weight - 1);
      if (id in context.subscriptions) return args;
      throw new AppError('unavailable', 'The subscription was completed before it began.');
    } catch (error) {
      return [toGraphQLError(toAppError(error))];
    } finally {
      held.forEach((giveBack) => giveBack());
    }
  }

  private contextOf({ requestId, caller, door }: Extra): RequestContext {
    return new RequestContext(requestId, caller!, NEVER, () => door.closeSlowReader());
  }

  /**
   * Authenticates by the init payload, else by the upgrade's header. Closes a refused socket with the matching code.
   */
  private async connect(opened: Context<InitPayload, Extra>): Promise<boolean> {
    const { addressOf, authentication, logger } = this.deps;
    const { extra } = opened;
    const header = authorizationIn(opened.connectionParams);
    const request = extra.request!;
    const isMissing = header === undefined && request.headers.authorization === undefined;
    // From here on neither the request nor the key stays in memory.
    delete extra.request;
    Object.assign(opened, { connectionParams: undefined });
    // As a request of its client, whose network made-up keys count for.
    const address = () => addressOf(request);
    const check = () =>
      asRequest(address, () =>
        typeof header === 'string' ? authentication.ofHeader(header) : authentication.ofRequest(request),
      );
    try {
      extra.caller = await check();
      if (!(await this.admit(extra, extra.caller))) return false;
      // Check again: the watch does not report a key that was revoked before it began.
      await check();
      return true;
    } catch (error) {
      const { code, options } = toAppError(error);
      if (REFUSALS.has(code)) {
        await extra.door.hold(options.holdMs ?? 0);
        extra.door.close(CLOSE.unauthorized, isMissing ? NO_KEY : 'Unauthorized');
      } else {
        logger.warn(errorFields(error), 'websocket: could not authenticate');
        extra.door.close(CLOSE.tryAgain, 'Unavailable');
      }
      return false;
    }
  }

  /** Counts a socket and watches its key until it closes. */
  private async admit({ socket, door }: Extra, caller: Caller): Promise<boolean> {
    const release = await this.connections.take(caller);
    if (typeof release === 'string') {
      door.close(CLOSE.tooMany, release === 'key' ? 'Too many sockets' : 'Too many sockets of the account');
      return false;
    }
    door.belongTo(caller.accountId);
    const unwatch = this.deps.keyWatch.watch(caller, (end) =>
      door.close(CLOSE.revoked, end === 'expired' ? 'Expired' : 'Revoked'),
    );
    const leave = (): void => {
      unwatch();
      release();
    };
    // The socket may have closed during authentication.
    if (socket.readyState === socket.CLOSED) leave();
    else socket.once('close', leave);
    return true;
  }
}

/** The value of `authorization` in any case: tutorials write it as the name of the HTTP header. */
function authorizationIn(payload: InitPayload | undefined): unknown {
  const [, value] = Object.entries(payload ?? {}).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return value;
}

function tooLong(field: string, most: number): AppError {
  return validationError({ field, message: `must have at most ${most} characters` });
}

function tooManySubscriptions(): AppError {
  return new AppError('rate_limited', `A socket carries at most ${SUBSCRIPTIONS_PER_SOCKET} subscriptions.`);
}

/**
 * A named function: an arrow function in place would keep the whole upgrade request in memory as long as the socket.
 */
function destroy(this: Duplex): void {
  this.destroy();
}

/** Ends a connection that Node.js has given up for an upgrade: nothing else reads it, and no timeout applies to it. */
function refuse(socket: Duplex, status: string): void {
  socket.resume();
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/** Sends results directly to the socket; the protocol library only sees the end. */
function delivery(texts: EventTexts, door: SubscriptionSocket, id: string): AsyncIterableIterator<never> {
  return {
    next: async () => {
      while (await handOn(texts, (text) => door.next(id, text)));
      return { value: undefined, done: true };
    },
    return: () => texts.return() as Promise<IteratorReturnResult<undefined>>,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
