import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '../support/http/free-port.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { describeWith } from './guide.js';
import { says, WAITING } from './waiting-clients.js';

let world: ClientWorld;
let proxy: TcpProxy;
let BASE_URL: string;
beforeAll(async () => {
  const port = await freePort();
  proxy = await startTcpProxy(`http://127.0.0.1:${port}`);
  BASE_URL = new URL(proxy.url).origin;
  world = await ClientWorld.open({ PORT: String(port) });
});
afterAll(async () => {
  await world.close();
  await proxy.close();
});

for (const { programs, names } of WAITING) {
  describeWith(programs, `the clients that wait, with ${programs.at(-1)}`, () => {
    it('hear of the connection though the former connection ended without a word', async () => {
      const flows = await Promise.all(names.map(() => world.flow()));
      const env = { BASE_URL, IDLE_SECONDS: '5' };
      const clients = names.map((name, at) => world.copy.start(name, { ...env, INTEGRATION_ID: flows[at]!.id }));
      await until(() => clients.every((client) => says(client, 'pending')));
      proxy.forget();
      for (const { grant } of flows) await grant();
      for (const [at, client] of clients.entries()) {
        expect([names[at], await client.exit, says(client, 'connected')]).toEqual([names[at], 0, true]);
      }
    });
  });
}
