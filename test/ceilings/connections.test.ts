import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { startTestServer } from '../support/server.js';
import { Places } from '../../src/platform/admission/places.js';
import { type Caller } from '../../src/platform/context.js';
import {
  ConnectionPlaces,
  CONNECTIONS_OF_ACCOUNT,
  CONNECTIONS_PER_KEY,
} from '../../src/transports/graphql/subscriptions/connection-places.js';

describe('connections of a key', () => {
  it('are 1,000: one more gets no place until one is released, and other keys are not affected', async () => {
    const count = new Places(CONNECTIONS_PER_KEY);
    const held = await Promise.all(Array.from({ length: CONNECTIONS_PER_KEY }, async () => count.take('key')));
    expect([CONNECTIONS_PER_KEY, held.every((release) => release !== undefined)]).toEqual([1_000, true]);
    expect(count.take('key')).toBeUndefined();
    expect(count.take('other')).toBeDefined();
    held[0]!();
    // Releasing one place twice frees one place.
    held[0]!();
    expect([count.take('key') !== undefined, count.take('key')]).toEqual([true, undefined]);
  });
});

describe('connections of an account', () => {
  const caller = (key: number, accountId = 'a'): Caller => {
    return { kind: 'key', accountId, keyId: `${accountId}${key}`, scope: 'read-only', expiresAt: null };
  };

  it('are 5,000 by all its keys: one more gets no place until one is released, and other accounts do', async () => {
    const places = new ConnectionPlaces(undefined);
    const held = [];
    for (let index = 0; index < CONNECTIONS_OF_ACCOUNT; index += 1) held.push(await places.take(caller(index % 10)));
    expect([CONNECTIONS_OF_ACCOUNT, held.every((each) => typeof each === 'function')]).toEqual([5_000, true]);
    expect(await places.take(caller(11))).toBe('account');
    expect(await places.take(caller(0, 'b'))).toBeInstanceOf(Function);
    const [first] = held as (() => void)[];
    first!();
    first!();
    expect([typeof (await places.take(caller(11))), await places.take(caller(11))]).toEqual(['function', 'account']);
  });

  it('do not count those that their key has no place for', async () => {
    const places = new ConnectionPlaces(undefined);
    for (let index = 0; index < CONNECTIONS_PER_KEY; index += 1) await places.take(caller(0));
    for (let index = 0; index < CONNECTIONS_OF_ACCOUNT; index += 1) expect(await places.take(caller(0))).toBe('key');
    expect(await places.take(caller(1))).toBeInstanceOf(Function);
  });
});

describe('connections that wait to be accepted', () => {
  // As many as the system allows, if those are fewer.
  const allowed = Math.min(4_096, Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')));
  const many = Math.min(2_000, allowed);

  it(`are ${many} and more, so that a crowd keeps nobody else from connecting`, async () => {
    const server = await startTestServer({ env: { ROLES: 'api' } });
    const port = Number(new URL(server.baseUrl).port);
    // Nothing is accepted until the event loop has its next turn.
    const sockets = Array.from({ length: many }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    const dropped = await new Promise<number>((resolve) => process.nextTick(() => resolve(unanswered(port))));
    for (const socket of sockets) socket.destroy();
    await server.close();
    expect(dropped).toBe(0);
  });
});

/** Connections to a port of this machine whose first packet was dropped (SYN_SENT in /proc/net/tcp). */
function unanswered(port: number): number {
  const target = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return rows.filter((row) => row.includes(` ${target} 02 `)).length;
}
