import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UNREAD_OF_READER } from '../../../src/platform/admission/unread-bytes.js';
import { RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';
import { gauge } from './changes.js';
import { EventReader } from './event-reader.js';
import { RawWebSocket } from './raw-websocket.js';
import { StalledSocket } from './stalled-socket.js';
import { openStream } from '../transports.js';

const INPUT = 'subscription { runStatusChanged { run { input } } }';
const STATUS = 'subscription { runStatusChanged { status } }';
/** Less than an event may have. */
const LARGE = 'x'.repeat(900_000);
const SOCKETS = 8;
const SUBSCRIPTIONS = 12;

let world: RunWorld;
let key: string;
beforeAll(async () => {
  world = await RunWorld.open();
  key = await world.server.key('read-only');
});
afterAll(() => world.close());

const unread = () => gauge(world.server, 'unread_event_bytes');
const listeners = () => gauge(world.server, 'run_listeners');

describe('clients that do not read', () => {
  it('are closed with 1013 once an event leaves more than 4 MB of a socket unread; readers receive all', async () => {
    const { hook } = await world.workflow([]);
    const reader = await RawWebSocket.open(world.server.ws(), key);
    reader.subscribe('1', STATUS);
    const stalled = await Promise.all(Array.from({ length: SOCKETS }, () => StalledSocket.open(world.server, key)));
    for (const socket of stalled) {
      for (let id = 0; id < SUBSCRIPTIONS; id += 1) socket.subscribe(`${id}`, INPUT);
    }
    await until(async () => (await listeners()) === SOCKETS * SUBSCRIPTIONS + 1);

    const run = await world.fire(hook, LARGE);
    const codes = await Promise.all(stalled.map((socket) => socket.closeCode()));
    expect(codes).toEqual(Array(SOCKETS).fill(1013));
    await until(async () => (await unread()) === 0 && (await listeners()) === 1);
    await world.ended(run);
    await until(() => reader.messages.filter(({ type }) => type === 'next').length === 3);
    reader.close();
  });

  it('are closed likewise for the answers to their own messages, which are never more than that', async () => {
    const socket = await StalledSocket.open(world.server, key);
    let most = 0;
    for (let sent = 0; sent < 300 && (await gauge(world.server, 'websocket_connections')) > 0; sent += 1) {
      // The answer repeats the id.
      socket.subscribe(`${sent} ${'x'.repeat(90_000)}`, '{');
      most = Math.max(most, await unread());
      if (most > 0 && (await unread()) === 0) break;
    }
    expect(await socket.closeCode()).toBe(1013);
    expect(most).toBeGreaterThan(0);
    // With the message that was one too many.
    expect(most).toBeLessThanOrEqual(UNREAD_OF_READER + 91_000);
  });

  it('get a long text in pieces, whole, over both doors', async () => {
    const { hook } = await world.workflow([]);
    // Characters of four bytes, so that pieces must not end within one.
    const text = `x${'𝒳'.repeat(100_000)}`;
    const run = await world.fire(hook, text);
    await world.ended(run);
    const document = `subscription { runStatusChanged(runId: "${run}") { run { input } } }`;
    const socket = await RawWebSocket.open(world.server.ws(), key);
    socket.subscribe('1', document);
    const { payload } = await socket.message(({ type }) => type === 'next');
    const stream = new EventReader(await openStream(world.server, key, { query: document }));
    for (const { data } of [payload, (await stream.next())!.data]) {
      expect(data.runStatusChanged.run.input === text).toBe(true);
    }
    socket.close();
    await stream.cancel();
  });
});
