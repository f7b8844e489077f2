import WebSocket from 'ws';
import { type TestServer } from '../support/server.js';

const ALL_CHANGES = 'subscription { integrationStatusChanged { id } }';

export interface OpenSocket {
  /** The close code; set once the socket is closed. */
  closed: number | undefined;
  close(): void;
}

/** An acknowledged WebSocket with a subscription. */
export async function openSocket(server: TestServer, key: string): Promise<OpenSocket> {
  const ws = new WebSocket(server.ws(), 'graphql-transport-ws');
  const socket: OpenSocket = {
    closed: undefined,
    close: () => {
      ws.close();
    },
  };
  ws.once('close', (code) => (socket.closed = code));
  await new Promise((resolve, reject) => {
    ws.once('error', reject);
    ws.once('close', reject);
    ws.once('message', resolve);
    ws.once('open', () => {
      ws.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
    });
  });
  ws.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: ALL_CHANGES } }));
  return socket;
}

export interface OpenStream {
  ended: boolean;
  close(): void;
}

/** An accepted event stream. */
export async function openStream(server: TestServer, key: string): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await fetch(`${server.baseUrl}/graphql/stream`, {
    method: 'POST',
    signal: abort.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: ALL_CHANGES }),
  });
  if (response.status !== 200) throw new Error(`The stream was refused with ${response.status}.`);
  const stream: OpenStream = {
    ended: false,
    close: () => {
      abort.abort();
    },
  };
  const end = () => {
    stream.ended = true;
  };
  void response.body!.pipeTo(new WritableStream()).then(end, end);
  return stream;
}
