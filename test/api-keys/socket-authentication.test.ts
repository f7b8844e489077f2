import WebSocket from 'ws';
import { newKeyText } from '../../src/features/api-keys/key-text.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { makeExpiredKey } from './key-world.js';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.key();
});
afterAll(() => server.close());

/** The result of a socket that sends this init: `ack`, or the close code. */
async function outcome(payload: unknown, headers: Record<string, string> = {}, query = ''): Promise<unknown> {
  const ws = new WebSocket(server.ws() + query, 'graphql-transport-ws', { headers });
  try {
    return await new Promise((resolve, reject) => {
      ws.once('error', reject);
      ws.once('close', resolve);
      ws.once('message', () => {
        resolve('ack');
      });
      ws.once('open', () => {
        ws.send(JSON.stringify({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) }));
      });
    });
  } finally {
    ws.terminate();
  }
}

describe('a WebSocket', () => {
  it('is accepted with the key in its init, or in the header of its upgrade', async () => {
    expect(await outcome({ authorization: `Bearer ${key}` })).toBe('ack');
    expect(await outcome({ Authorization: `Bearer ${key}` })).toBe('ack');
    expect(await outcome(undefined, { authorization: `Bearer ${key}` })).toBe('ack');
    expect(await outcome({}, { authorization: `Bearer ${key}` })).toBe('ack');
  });

  it('is closed with 4401 for any other form', async () => {
    for (const authorization of [
      '',
      key,
      'Bearer ',
      `bearer ${key}`,
      `Bearer  ${key}`,
      `Bearer ${key} `,
      ` Bearer ${key}`,
      `Bearer\t${key}`,
      `Bearer ${key}\0`,
      `Bearer ${key}\n`,
      `Basic ${key}`,
      `Bearer ${newKeyText()}`,
    ]) {
      expect([authorization, await outcome({ authorization })]).toEqual([authorization, 4401]);
    }
    for (const payload of [undefined, {}, { authorization: [`Bearer ${key}`] }, { authorization: null }]) {
      expect([payload, await outcome(payload)]).toEqual([payload, 4401]);
    }
  });

  it('is not accepted with a key in its URL', async () => {
    expect(await outcome({}, {}, `?authorization=Bearer%20${key}&access_token=${key}`)).toBe(4401);
  });

  it('prefers the init to the header: a good header does not make up for a bad init', async () => {
    expect(await outcome({ authorization: 'Bearer x' }, { authorization: `Bearer ${key}` })).toBe(4401);
  });

  it('is closed with 4401 for an expired key', async () => {
    const { secret } = await makeExpiredKey(server);
    expect(await outcome({ authorization: `Bearer ${secret}` })).toBe(4401);
  });
});
