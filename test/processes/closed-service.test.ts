import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { startTestServer } from '../support/server.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Nobody but the closed service knows its parts. */
async function partsOfClosedService(): Promise<{ database: WeakRef<object>; keys: WeakRef<object> }> {
  const server = await startTestServer();
  const client = new Client(server.baseUrl, await server.key());
  expect((await client.rest('GET', '/workflows')).status).toBe(200);
  expect((await client.send('GET', '/metrics')).status).toBe(200);
  await server.close();
  return { database: new WeakRef(server.db), keys: new WeakRef(server.apiKeys) };
}

// Applications start and close it in their own process (`createServer`).
it('a service that has closed leaves nothing in memory', async () => {
  const { database, keys } = await partsOfClosedService();
  // TypeGraphQL keeps the options of the last schema that it has built.
  await partsOfClosedService();
  for (let i = 0; i < 200 && (database.deref() ?? keys.deref()) !== undefined; i += 1) {
    await sleep(50);
    collectGarbage();
  }
  expect([database.deref(), keys.deref()].map((part) => part?.constructor.name)).toEqual([undefined, undefined]);
});
