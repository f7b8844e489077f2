import { type ServerResponse } from 'node:http';
import { type ExecutionResult, type GraphQLError, type GraphQLSchema } from 'graphql';
import { createHandler, type Handler, type OperationArgs } from 'graphql-sse';
import { type Authentication } from '../api-keys/authentication.js';
import { type KeyWatch } from '../api-keys/key-watch.js';
import { RequestContext } from '../context.js';
import { AppError, toAppError } from '../errors.js';
import { type InboundRequest, readJson } from '../http/inbound-body.js';
import { type Logger } from '../logger.js';
import { prepareSubscription } from './documents.js';
import { formatError, logError } from './errors.js';
import { sendGraphqlError } from './graphql.router.js';

/** Results that may wait for a reader before it counts as too slow. */
const QUEUE = 256;

/** One event stream: its caller's context, and how many results were made but not yet taken by the network. */
interface Stream {
  context: RequestContext;
  body: unknown;
  waiting: number;
  end: () => void;
}

export interface SseDependencies {
  schema: GraphQLSchema;
  authentication: Authentication;
  keyWatch: KeyWatch;
  logger: Logger;
}

/** Subscriptions over server-sent events at `/graphql/stream`: graphql-sse's protocol, distinct connections mode. */
export class SseSubscriptions {
  private readonly handler: Handler<unknown, Stream>;
  private readonly streams = new Set<Stream>();

  constructor(private readonly dependencies: SseDependencies) {
    const { schema, logger } = dependencies;
    this.handler = createHandler<unknown, Stream>({
      schema,
      authenticate: () => null,
      onSubscribe: ({ context: stream }, params) => {
        const prepared = prepareSubscription(schema, stream.context, params);
        return 'schema' in prepared ? (prepared as OperationArgs) : { errors: prepared };
      },
      context: ({ context }) => context as never,
      onNext: (_context, { context: stream }, result) => {
        stream.waiting += 1;
        if (stream.waiting > QUEUE) stream.end();
        return format(logger, stream.context, result as ExecutionResult);
      },
    });
  }

  async handle(request: InboundRequest, response: ServerResponse, requestId: string): Promise<void> {
    const { authentication, keyWatch } = this.dependencies;
    try {
      if (request.method !== 'GET' && request.method !== 'POST') {
        throw new AppError('method_not_allowed', 'Use GET or POST.', { headers: { allow: 'GET, POST' } });
      }
      const caller = await authentication.ofRequest(request);
      const body = await readJson(request);
      const end = () => void response.destroy();
      const stream: Stream = { context: new RequestContext(requestId, caller, undefined, end), body, waiting: 0, end };
      response.once('close', keyWatch.watch(caller, end));
      await authentication.ofRequest(request);
      await this.stream(request, response, stream);
    } catch (error) {
      sendGraphqlError(response, toAppError(error));
    }
  }

  get count(): number {
    return this.streams.size;
  }

  /** Ends every stream; clients reconnect elsewhere. */
  close(): void {
    this.streams.forEach((stream) => stream.end());
  }

  private async stream(request: InboundRequest, response: ServerResponse, stream: Stream): Promise<void> {
    const [body, init] = await this.handler({
      method: request.method!,
      url: `http://localhost${request.url ?? '/'}`,
      // The path alone says what is wanted: other Accept headers get the stream as well.
      headers: {
        get: (name) => (name === 'accept' ? 'text/event-stream' : (request.headers[name] as string | undefined)),
      },
      body: () => (stream.body ?? null) as never,
      raw: request,
      context: stream,
    });
    response.writeHead(init.status, init.statusText, { ...init.headers, 'x-accel-buffering': 'no' });
    if (body === null || typeof body === 'string') {
      response.end(body);
      return;
    }
    this.streams.add(stream);
    response.once('close', () => {
      this.streams.delete(stream);
      void body.return(undefined);
    });
    for await (const message of body) {
      if (!(await write(response, message))) break;
      if (message.startsWith('event: next')) stream.waiting -= 1;
    }
    response.end();
  }
}

/** Resolves when the network has taken the message: that is what holds back a stream whose reader doesn't read. */
async function write(response: ServerResponse, message: string): Promise<boolean> {
  if (!response.writable || response.destroyed) return false;
  return new Promise((resolve) => {
    response.write(message, (error) => resolve(!error));
  });
}

function format(logger: Logger, context: RequestContext, result: ExecutionResult): ExecutionResult | undefined {
  if (result.errors === undefined) return undefined;
  result.errors.forEach((error) => logError(logger, context.requestId, error));
  return { ...result, errors: result.errors.map(formatError) as unknown as GraphQLError[] };
}
