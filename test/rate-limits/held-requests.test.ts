import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { LongWork } from '../../src/platform/admission/long-work.js';
import { currentOrigin } from '../../src/platform/admission/origin.js';
import { UnreadBytes } from '../../src/platform/admission/unread-bytes.js';
import { AppError } from '../../src/platform/errors.js';
import { createHandler, type Listeners } from '../../src/transports/gateway/handler.js';
import { type WsDependencies, WsSubscriptions } from '../../src/transports/graphql/subscriptions/subscriptions.ws.js';
import { exchange } from '../support/http/exchange.js';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A service whose pages are held for some milliseconds. @returns its URL, and what happens in it. */
async function serve(delayMs: number, holdUnknown: Listeners['holdUnknown']) {
  const events: string[] = [];
  const listeners: Partial<Listeners> = {
    stopping: new AbortController().signal,
    addressOf: () => '192.0.2.1',
    isOpen: true,
    keylessDelay: () => delayMs,
    holdUnknown: (request) => {
      events.push('held');
      const giveBack = holdUnknown(request);
      return () => {
        events.push('given back');
        giveBack();
      };
    },
    express: (_request, response) => {
      events.push('served');
      response.end('page');
    },
    metrics: { observe: () => undefined } as unknown as Listeners['metrics'],
    logger: { info: () => undefined } as unknown as Listeners['logger'],
  };
  server = createServer(createHandler(listeners as Listeners));
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, events };
}

const POST = 'POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';

describe('a request without a key', () => {
  it('that is held takes memory for its body until it is served', async () => {
    const { url, events } = await serve(20, () => () => undefined);
    expect((await exchange(url, POST)).statuses).toEqual([200]);
    expect(events).toEqual(['held', 'given back', 'served']);
  });

  it('is refused when there is no memory for its body while it is held', async () => {
    const { url, events } = await serve(20, () => {
      throw new AppError('unavailable', 'Too many bodies.');
    });
    expect((await exchange(url, POST)).statuses).toEqual([503]);
    expect(events).toEqual(['held']);
  });

  it('that is served at once takes none here', async () => {
    const { url, events } = await serve(0, () => () => undefined);
    expect((await exchange(url, POST)).statuses).toEqual([200]);
    expect(events).toEqual(['served']);
  });
});

describe('an upgrade', () => {
  it('that is held is answered after its delay, also when it is refused', async () => {
    const answered = Promise.withResolvers<string>();
    const socket = new PassThrough();
    socket.once('data', (bytes: Buffer) => answered.resolve(bytes.toString()));
    const incoming = new EventEmitter();
    const delays: string[] = [];
    const subscriptions = new WsSubscriptions({
      keylessDelay: ({ url }: IncomingMessage) => delays.push(url!) && 50,
      isForeign: () => false,
    } as unknown as WsDependencies);
    subscriptions.attach(incoming as Server);
    incoming.emit('upgrade', { url: '/elsewhere', headers: {} }, socket, Buffer.alloc(0));
    await setImmediate();
    expect([delays, socket.readableLength + Number(socket.writableEnded)]).toEqual([['/elsewhere'], 0]);
    expect(await answered.promise).toContain('404 Not Found');
  });
});

describe('a WebSocket with an unknown key', () => {
  it('counts for the network of its client, and is closed after the delay of that', async () => {
    const [origins, tried] = [[] as (string | null)[], Promise.withResolvers<void>()];
    const ofHeader = async () => {
      origins.push(currentOrigin().address);
      tried.resolve();
      throw new AppError('unauthorized', 'Unknown.', { holdMs: 200 });
    };
    const subscriptions = new WsSubscriptions({
      keylessDelay: () => 0,
      isForeign: () => false,
      addressOf: () => '192.0.2.7',
      newRequestId: () => 'id',
      authentication: { ofHeader },
      unread: new UnreadBytes(),
      longWork: new LongWork(),
    } as unknown as WsDependencies);
    server = createServer();
    subscriptions.attach(server);
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const socket = new WebSocket(
      `ws://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
      'graphql-transport-ws',
    );
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: 'Bearer made-up' } })),
    );
    await tried.promise;
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect(socket.readyState).toBe(WebSocket.OPEN);
    expect([await closed, origins]).toEqual([4401, ['192.0.2.7']]);
  });
});
