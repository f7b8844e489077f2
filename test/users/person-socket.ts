import WebSocket from 'ws';
import { type TestServer } from '../support/server.js';

const ALL_CHANGES = 'subscription { integrationStatusChanged { id } }';

/** What became of opening a WebSocket: open, refused with an HTTP status, or closed with a code. */
export interface PersonSocket {
  opened: boolean;
  /** Resolves to the HTTP status of the refusal, or to the close code. */
  ended: Promise<number>;
  close(): void;
}

/** Opens a socket as a page of that origin does, whose browser sends the cookie with it; `key` goes into the init message. */
export async function openPersonSocket(
  server: TestServer,
  headers: { cookie?: string; origin?: string },
  key?: string,
): Promise<PersonSocket> {
  const ws = new WebSocket(server.ws(), 'graphql-transport-ws', { headers });
  const ended = Promise.withResolvers<number>();
  const acknowledged = Promise.withResolvers<boolean>();
  ws.once('unexpected-response', (_request, response) => ended.resolve(response.statusCode!));
  ws.once('close', (code) => ended.resolve(code));
  ws.on('error', () => undefined);
  ws.once('message', () => acknowledged.resolve(true));
  ws.once('open', () =>
    ws.send(JSON.stringify({ type: 'connection_init', payload: key ? { authorization: `Bearer ${key}` } : {} })),
  );
  const opened = await Promise.race([acknowledged.promise, ended.promise.then(() => false)]);
  if (opened) ws.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: ALL_CHANGES } }));
  return { opened, ended: ended.promise, close: () => ws.terminate() };
}
