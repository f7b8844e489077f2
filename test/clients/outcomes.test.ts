import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { describeWith, type Running } from './guide.js';
import { unexpected, WAITING } from './waiting-clients.js';

/** These print the names and statuses of GraphQL, and the id of the integration. */
const NAMES_IDS = /\.mjs$/;
const LOWER_CASE = /\.py$|polling/;
const READS_FIRST = /polling|graphql-ws|apollo|urql/;
const POLLS = /polling/;

let world: ClientWorld;
let id: string;
beforeAll(async () => {
  world = await ClientWorld.open();
});
// The next client lists its own integration only.
afterEach(() => world.client.rest('DELETE', `/integrations/${id}`));
afterAll(() => world.close());

/** A flow of an integration that is connected already. */
async function reconnecting() {
  const first = await world.flow();
  id = first.id;
  await first.grant();
  return world.reconnect(id);
}

const linesOf = (name: string, statuses: readonly string[]) =>
  statuses.map((status) => {
    const word = LOWER_CASE.test(name) ? status.toLowerCase() : status;
    return NAMES_IDS.test(name) ? `${id} ${word}` : word;
  });

/** A client once it follows the flow. */
async function waiting(name: string, after: number): Promise<Running> {
  const client = world.copy.start(name, { INTEGRATION_ID: id, AFTER_VERSION: String(after) });
  await until(() => !READS_FIRST.test(name) || client.lines.length > 0);
  return client;
}

async function endOf(client: Running) {
  const code = await client.exit;
  return { code, lines: client.lines, errors: unexpected(client) };
}

for (const { programs, names } of WAITING) {
  describeWith(programs, `the outcome of a flow, with ${programs.at(-1)}`, () => {
    describe.each(names)('%s', (name) => {
      it('fails with the reason of a reconnect that is denied, though the integration stays connected', async () => {
        const { version, deny } = await reconnecting();
        const client = await waiting(name, version);
        await deny();
        const lines = linesOf(name, READS_FIRST.test(name) ? ['CONNECTED', 'CONNECTED'] : ['CONNECTED']);
        expect(await endOf(client)).toEqual({ code: 1, lines, errors: 'access_denied\n' });
      });

      it('has the outcome of a flow that is over at the start', async () => {
        const { version, deny } = await reconnecting();
        await deny();
        const lines = linesOf(name, ['CONNECTED']);
        const denied = await endOf(await waiting(name, version));
        expect(denied).toEqual({ code: 1, lines, errors: 'access_denied\n' });
        const { version: later, grant } = await world.reconnect(id);
        await grant();
        expect(await endOf(await waiting(name, later))).toEqual({ code: 0, lines, errors: '' });
      });

      it('prints the outcome of a success', async () => {
        const { version, grant } = await reconnecting();
        const client = await waiting(name, version);
        await grant();
        const lines = linesOf(name, READS_FIRST.test(name) ? ['CONNECTED', 'CONNECTED'] : ['CONNECTED']);
        expect(await endOf(client)).toEqual({ code: 0, lines, errors: '' });
      });

      it('fails when the integration is deleted', async () => {
        const flow = await world.flow();
        id = flow.id;
        const client = await waiting(name, 0);
        await until(() => client.lines.length > 0);
        await world.client.rest('DELETE', `/integrations/${id}`);
        const lines = linesOf(name, POLLS.test(name) ? ['PENDING'] : ['PENDING', 'DISCONNECTED']);
        expect(await endOf(client)).toEqual({ code: 1, lines, errors: 'deleted\n' });
      });
    });

    it.each(names)('%s fails with a sentence when the integration does not exist', async (name) => {
      id = 'int_01kagrx8040000000000000000';
      const { code, lines, errors } = await endOf(world.copy.start(name, { INTEGRATION_ID: id }));
      expect({ code, lines }).toEqual({ code: 1, lines: [] });
      expect(errors).toMatch(/^\S.*\n$/);
    });

    const streams = names.filter((name) => !POLLS.test(name));
    it.each(streams)('%s fails when another flow supersedes its own', async (name) => {
      const { version } = await reconnecting();
      const client = await waiting(name, version);
      await world.reconnect(id);
      const lines = linesOf(name, READS_FIRST.test(name) ? ['CONNECTED', 'CONNECTED'] : ['CONNECTED']);
      expect(await endOf(client)).toEqual({ code: 1, lines, errors: 'superseded\n' });
    });

    const ofOne = streams.filter((name) => !READS_FIRST.test(name));
    it.each(ofOne)('%s ends with a subscription that completes without a change', async (name) => {
      const { version } = await reconnecting();
      await world.client.rest('DELETE', `/integrations/${id}`);
      // The deletion ended the flow and was the next change.
      const client = await waiting(name, version + 2);
      expect(await endOf(client)).toEqual({ code: 1, lines: [], errors: 'deleted\n' });
    });
  });
}
