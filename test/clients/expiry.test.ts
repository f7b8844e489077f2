import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { describeWith } from './guide.js';
import { says, unexpected, WAITING } from './waiting-clients.js';

const MINUTES = 60_000;

let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterAll(() => world.close());

for (const { programs, names } of WAITING) {
  describeWith(programs, `the clients that wait, with ${programs.at(-1)}`, () => {
    it('fail with the reason when the user never answers', async () => {
      const flows = await Promise.all(names.map(() => world.flow()));
      const clients = names.map((name, at) => world.copy.start(name, { INTEGRATION_ID: flows[at]!.id }));
      await until(() => clients.every((client) => says(client, 'pending')));
      await world.service.advance(10 * MINUTES);
      for (const [at, client] of clients.entries()) {
        expect([names[at], await client.exit, says(client, 'disconnected')]).toEqual([names[at], 1, true]);
        expect([names[at], unexpected(client)]).toEqual([names[at], 'authorization_timed_out\n']);
      }
    });
  });
}
