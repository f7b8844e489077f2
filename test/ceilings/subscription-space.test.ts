import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { Listeners } from '../../src/platform/admission/listeners.js';
import { type KeyCaller, RequestContext } from '../../src/platform/context.js';
import { keepPlaces } from '../../src/transports/graphql/documents/places.js';
import { SubscriptionSpace } from '../../src/transports/graphql/subscriptions/subscription-space.js';
import { gauge } from '../graphql/subscriptions/changes.js';
import { EventReader } from '../graphql/subscriptions/event-reader.js';
import { RawWebSocket } from '../graphql/subscriptions/raw-websocket.js';
import { openStream } from '../graphql/transports.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const MB = 2 ** 20;
const REFUSED = expect.objectContaining({ code: 'rate_limited' }) as unknown;
const CHANGES = 'subscription { runStatusChanged { status } }';
/** 90 kB of JSON that takes twenty times the memory once parsed. */
const JUNK = Array.from({ length: 30_000 }, () => ({}));
const LONG = 'x'.repeat(90_000);

describe('the memory of subscriptions', () => {
  const begin = (space: SubscriptionSpace, text: string, accountId = 'a', variableValues = {}) => {
    const caller: KeyCaller = { kind: 'key', accountId, keyId: 'k', scope: 'read-only', expiresAt: null };
    const contextValue = new RequestContext('r', caller);
    return space.begin({ schema: undefined as never, document: parse(text), contextValue, variableValues });
  };

  it('is 128 MB of memory in a process, two thirds of them of one account, and is given back', async () => {
    const space = new SubscriptionSpace(new Listeners());
    const fields = Array.from({ length: 990 }, () => 'f').join(' ');
    const held: (() => void)[] = [];
    const fill = async () => {
      for (;;) held.push(await begin(space, `{ ${fields} n${held.length} }`));
    };
    await expect(fill()).rejects.toThrow(REFUSED);
    expect(space.inUse).toBeGreaterThan(84 * MB);
    expect(space.inUse).toBeLessThan((2 / 3) * 128 * MB);
    const other = await begin(space, CHANGES, 'b');
    for (const giveBack of [...held, ...held, other]) giveBack();
    expect(space.inUse).toBe(0);
  });

  it('is one document for all of an account that use it, and the variables of each', () => {
    const space = new SubscriptionSpace(new Listeners());
    const document = keepPlaces(parse(CHANGES));
    const first = space.holdDocument('a', document);
    const alone = space.inUse;
    expect(alone).toBeGreaterThan(7 * 512);
    const second = space.holdDocument('a', document);
    expect(space.inUse).toBe(alone);
    first();
    expect(space.inUse).toBe(alone);
    second();
    expect(space.inUse).toBe(0);
    const giveBack = space.holdJson('a', { ids: JUNK });
    expect(space.inUse).toBeGreaterThan(20 * 90_000);
    giveBack();
  });

  it('takes no listener place when it does not fit', async () => {
    const listeners = new Listeners();
    const space = new SubscriptionSpace(listeners);
    const all = space.holdJson('b', 'x'.repeat(7 * MB));
    await expect(begin(space, CHANGES, 'b')).rejects.toThrow(REFUSED);
    expect(listeners.of('b')).toBe(0);
    all();
  });
});

describe('a subscription', () => {
  let server: TestServer;
  let key: string;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
    key = await server.key('read-only');
  });
  afterAll(() => server.close());

  const held = () => gauge(server, 'subscription_bytes');

  it.each([
    ['variables that it does not declare', { payload: { query: CHANGES, variables: { junk: LONG } } }],
    ['extensions of it', { payload: { query: CHANGES, extensions: { junk: LONG } } }],
    ['payload beside its query', { payload: { query: CHANGES, junk: LONG } }],
    ['what the protocol does not know', { payload: { query: CHANGES }, junk: LONG }],
  ])('holds no %s', async (_what, message) => {
    const socket = await RawWebSocket.open(server.ws(), key);
    const before = await held();
    socket.send({ id: 'x'.repeat(255), type: 'subscribe', ...message });
    await until(async () => (await gauge(server, 'run_listeners')) === 1);
    expect((await held()) - before).toBeLessThan(10_000);
    socket.close();
    await socket.closed;
    await until(async () => (await gauge(server, 'run_listeners')) === 0);
    expect(await held()).toBe(before);
  });

  it('holds as little over an event stream', async () => {
    const before = await held();
    const reader = new EventReader(await openStream(server, key, { query: CHANGES, variables: { junk: JUNK } }));
    await reader.comment();
    expect((await held()) - before).toBeLessThan(10_000);
    await reader.cancel();
    await until(async () => (await held()) === before);
  });

  it('counts the whole text of its document, of which names and literals are parts', async () => {
    const before = await held();
    const query = `# ${'x'.repeat(100_000)}\n${CHANGES}`;
    const reader = new EventReader(await openStream(server, key, { query }));
    await reader.comment();
    expect((await held()) - before).toBeGreaterThan(2 * 100_000);
    await reader.cancel();
    await until(async () => (await held()) === before);
  });

  it('is refused when its message has more than 2,000 objects and lists', async () => {
    const message = (containers: number) => ({
      id: 'a',
      type: 'subscribe',
      payload: { query: CHANGES, variables: { junk: Array.from({ length: containers - 4 }, () => []) } },
    });
    const socket = await RawWebSocket.open(server.ws(), key);
    socket.send(message(2_000));
    await until(async () => (await gauge(server, 'run_listeners')) === 1);
    socket.send(message(2_001));
    expect((await socket.closed).code).toBe(4400);
  });

  it('is refused when its id has more than 255 characters', async () => {
    const socket = await RawWebSocket.open(server.ws(), key);
    socket.subscribe('x'.repeat(256), CHANGES);
    const { payload } = await socket.message(({ type }) => type === 'error');
    expect(payload[0].extensions).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'id' }] });
    socket.close();
  });
});
