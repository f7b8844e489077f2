import { Client } from '../support/http/client.js';
import { type TestServer } from '../support/server.js';
import { EventReader } from './subscriptions/event-reader.js';
import { RawWebSocket } from './subscriptions/raw-websocket.js';

/** What a client hears first of an operation, whatever door it took. */
export interface Heard {
  data?: any;
  errors?: { message: string; locations?: unknown; path?: unknown; extensions: { code: string; details?: any } }[];
  /** The HTTP status, where there is one. */
  status?: number;
}

export interface Transport {
  name: 'HTTP' | 'SSE' | 'WebSocket';
  /** An operation with this selection on the Integration `$id`, which lies so many levels deep. */
  on: (selection: string, more?: string) => string;
  levels: number;
  ask: (server: TestServer, key: string, query: string, variables?: object) => Promise<Heard>;
}

const subscription = (selection: string, more = ''): string =>
  `subscription ($id: ID! ${more}) { integrationStatusChanged(integrationId: $id) { integration { ${selection} } } }`;

/** The three doors of GraphQL, to be asked the same. */
export const TRANSPORTS: readonly Transport[] = [
  {
    name: 'HTTP',
    on: (selection, more = '') => `query ($id: ID! ${more}) { integration(id: $id) { ${selection} } }`,
    levels: 1,
    ask: async (server, key, query, variables) => {
      const { status, body } = await new Client(server.baseUrl, key).graphql(
        query,
        variables as Record<string, unknown>,
      );
      return { status, ...body };
    },
  },
  { name: 'SSE', on: subscription, levels: 2, ask: askStream },
  { name: 'WebSocket', on: subscription, levels: 2, ask: askSocket },
];

/** An integration that is there, to select on. @returns its id. */
export async function connectSandbox(server: TestServer, key: string): Promise<string> {
  const { body } = await new Client(server.baseUrl, key).rest('POST', '/integrations/connect', {
    body: { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } },
  });
  return body.id as string;
}

/** Opens an event stream; what is no stream is given back as it is. */
export async function openStream(
  server: TestServer,
  key: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${server.baseUrl}/graphql/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

async function askStream(server: TestServer, key: string, query: string, variables?: object): Promise<Heard> {
  const response = await openStream(server, key, { query, variables });
  const { status } = response;
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return { status, ...((await response.json()) as object) };
  }
  const reader = new EventReader(response);
  const event = await reader.next();
  await reader.cancel();
  return { status, ...event!.data };
}

async function askSocket(server: TestServer, key: string, query: string, variables?: object): Promise<Heard> {
  const socket = await RawWebSocket.open(server.ws(), key);
  socket.subscribe('1', query, variables);
  const { type, payload } = await socket.message(({ id }) => id === '1');
  socket.close();
  await socket.closed;
  return type === 'error' ? { errors: payload } : payload;
}
