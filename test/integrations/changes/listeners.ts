import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { type TestServer } from '../../support/server.js';

/** A change as a listener receives it. */
export interface Heard {
  id: string;
  version: number;
  status: string;
  reason: string | null;
  integrationId: string;
}

/** A listener, until the stream completes, fails or is closed. */
export interface Listening {
  readonly heard: Heard[];
  /** Resolves at the end: undefined, or the code of the error that ended it. */
  readonly ended: Promise<string | undefined>;
  close(): void;
}

/** Where to begin; `id` listens to one integration, without it to the account. */
export interface From {
  id?: string;
  afterVersion?: number;
  after?: string;
}

/** An API key or token, or the headers of a person. */
export type Credentials = string | Readonly<Record<string, string>>;

export type Door = (server: TestServer, credentials: Credentials, from: From) => Listening;

const QUERY = `subscription ($id: ID, $afterVersion: Int, $after: ID) {
  integrationStatusChanged(integrationId: $id, afterVersion: $afterVersion, after: $after) {
    id version status reason integration { id } } }`;

/** A listener by the graphql-ws protocol, on its own socket, without reconnection. */
export const overWebSocket: Door = (server, credentials, from) => {
  const heard: Heard[] = [];
  const ended = Promise.withResolvers<string | undefined>();
  const client = createClient({
    url: server.ws(),
    webSocketImpl: typeof credentials === 'string' ? WebSocket : withHeaders(credentials),
    retryAttempts: 0,
    connectionParams: typeof credentials === 'string' ? { authorization: `Bearer ${credentials}` } : {},
  });
  client.subscribe<Record<string, never>>(
    { query: QUERY, variables: { ...from } },
    {
      next: (result) => take(heard, result, ended.resolve),
      error: (error) => ended.resolve(codeOf(Array.isArray(error) ? error[0] : error)),
      complete: () => ended.resolve(undefined),
    },
  );
  return { heard, ended: ended.promise, close: () => void client.dispose() };
};

/** A listener by server-sent events. */
export const overSse: Door = (server, credentials, from) => {
  const heard: Heard[] = [];
  const ended = Promise.withResolvers<string | undefined>();
  const gone = new AbortController();
  const listen = async () => {
    const response = await fetch(`${server.url}/graphql/stream`, {
      method: 'POST',
      headers: {
        ...(typeof credentials === 'string' ? { authorization: `Bearer ${credentials}` } : credentials),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: QUERY, variables: from }),
      signal: gone.signal,
    });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const data = /^data: ?(.+)$/m.exec(event)?.[1];
        if (/^event: ?next$/m.test(event) && data) take(heard, JSON.parse(data), ended.resolve);
        if (/^event: ?complete$/m.test(event)) ended.resolve(undefined);
      }
    }
  };
  listen().then(
    () => ended.resolve('cut'),
    () => ended.resolve('cut'),
  );
  return { heard, ended: ended.promise, close: () => gone.abort() };
};

/** Adds the headers that a browser adds itself. */
function withHeaders(headers: Readonly<Record<string, string>>): typeof WebSocket {
  return class extends WebSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol, { headers });
    }
  } as unknown as typeof WebSocket;
}

function take(heard: Heard[], result: unknown, fail: (code: string) => void): void {
  const { data, errors } = result as { data?: Record<string, any> | null; errors?: unknown[] };
  const change = data?.integrationStatusChanged;
  if (!change) return fail(codeOf(errors?.[0]));
  heard.push({ ...change, integration: undefined, integrationId: change.integration.id });
}

function codeOf(error: unknown): string {
  const { extensions, code } = error as { extensions?: { code?: string }; code?: number };
  return extensions?.code ?? String(code ?? error);
}
