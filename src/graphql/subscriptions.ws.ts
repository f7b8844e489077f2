import { type IncomingMessage, type Server } from 'node:http';
import { type Duplex } from 'node:stream';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { type Context, type ServerOptions } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Authentication } from '../api-keys/authentication.js';
import { type KeyWatch } from '../api-keys/key-watch.js';
import { type Caller, RequestContext } from '../context.js';
import { AppError } from '../errors.js';
import { MAX_BODY_BYTES } from '../http/inbound-body.js';
import { errorFields, type Logger } from '../logger.js';
import { prepareSubscription } from './documents.js';
import { formatError, logError } from './errors.js';

/** Why we close a socket, by the code that the client sees (contract, Subscriptions). */
export const CLOSE = { unauthorized: 4401, revoked: 4403, goingAway: 1001, slowReader: 1013 } as const;

const INIT_TIMEOUT_MS = 3_000;
const PING_MS = 15_000;
const SUBSCRIPTIONS_PER_SOCKET = 100;

interface Extra {
  socket: WebSocket;
  request: IncomingMessage;
  caller?: Caller;
}

type SocketContext = Context<Record<string, unknown>, Extra & Record<PropertyKey, unknown>>;

export interface WsDependencies {
  schema: GraphQLSchema;
  authentication: Authentication;
  keyWatch: KeyWatch;
  logger: Logger;
  newRequestId: () => string;
}

/** Subscriptions over WebSocket, sub-protocol `graphql-transport-ws`, at `/graphql`. */
export class WsSubscriptions {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES });
  private readonly server: { dispose: () => void | Promise<void> };

  constructor(private readonly dependencies: WsDependencies) {
    this.server = useServer(this.options(), this.sockets, PING_MS);
  }

  /** Takes the upgrade requests of a server; others than `/graphql` are refused. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      if (new URL(request.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '') !== '/graphql') {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      this.sockets.handleUpgrade(request, socket, head, (ws) => this.sockets.emit('connection', ws, request));
    });
  }

  get count(): number {
    return this.sockets.clients.size;
  }

  /** Closes every socket with 1001; those that don't answer are cut after a second. */
  async close(): Promise<void> {
    const cut = setTimeout(() => this.sockets.clients.forEach((client) => client.terminate()), 1_000);
    await this.server.dispose();
    clearTimeout(cut);
  }

  private options(): ServerOptions<Record<string, unknown>, SocketContext['extra']> {
    const { schema, logger, newRequestId } = this.dependencies;
    return {
      schema,
      connectionInitWaitTimeout: INIT_TIMEOUT_MS,
      onConnect: (context) => this.connect(context),
      onSubscribe: ({ extra, subscriptions }, _id, payload) => {
        if (Object.keys(subscriptions).length > SUBSCRIPTIONS_PER_SOCKET) {
          return [new GraphQLError(`A socket carries at most ${SUBSCRIPTIONS_PER_SOCKET} subscriptions.`)];
        }
        const context = new RequestContext(newRequestId(), extra.caller!, undefined, () =>
          extra.socket.close(CLOSE.slowReader, 'Too slow a reader'),
        );
        return prepareSubscription(schema, context, payload);
      },
      onNext: (_context, _id, _payload, args, result) => {
        if (result.errors === undefined) return undefined;
        const { requestId } = args.contextValue as RequestContext;
        result.errors.forEach((error) => logError(logger, requestId, error));
        return { ...result, errors: result.errors.map(formatError) as unknown as GraphQLError[] };
      },
      onError: (_context, _id, _payload, errors) => (errors as GraphQLError[]).map(formatError),
    };
  }

  /** By the init payload, else by the upgrade's header. False makes graphql-ws close, which ours then precedes. */
  private async connect({ extra, connectionParams }: SocketContext): Promise<boolean> {
    const { authentication, keyWatch, logger } = this.dependencies;
    const header = connectionParams?.authorization;
    try {
      const check = () =>
        typeof header === 'string' ? authentication.ofHeader(header) : authentication.ofRequest(extra.request);
      extra.caller = await check();
      const unwatch = keyWatch.watch(extra.caller, () => extra.socket.close(CLOSE.revoked, 'Revoked'));
      extra.socket.once('close', unwatch);
      // A key that was revoked between the check and the watch: nobody would tell.
      await check();
      return true;
    } catch (error) {
      if (error instanceof AppError) extra.socket.close(CLOSE.unauthorized, 'Unauthorized');
      else {
        logger.warn(errorFields(error), 'websocket: could not authenticate');
        extra.socket.close(1011, 'Unavailable');
      }
      return false;
    }
  }
}
