import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { fromPublicId, toPublicId } from '../../src/platform/ids/ids.js';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { describeWith, type Running } from './guide.js';
import { says, unexpected, WAITING } from './waiting-clients.js';

/** These print the changes of all integrations. */
const FOLLOW_ALL = new Set(['graphql-ws.mjs', 'urql.mjs']);

/** One line at most, without the places in the code. curl has its own. */
const SENTENCE = /^(?:\S.*\n)?$/;

/** These print nothing before the first change. */
const SILENT = /^graphql-sse|stream/;

let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterEach(() => world.start());
afterAll(() => world.close());

for (const { programs, names } of WAITING) {
  describeWith(programs, `the clients that wait, with ${programs.at(-1)}`, () => {
    it('hear of the connection through a restart of the service, and end', async () => {
      const flows = await Promise.all(names.map(() => world.flow()));
      const clients = names.map((name, at) => world.copy.start(name, { INTEGRATION_ID: flows[at]!.id }));
      await until(() => clients.every((client) => says(client, 'pending')));
      const another = (await world.flow()).id;
      const ofAnother = (client: Running) => client.lines.filter((line) => line.startsWith(another)).length;
      const ofLists = clients.filter((_, at) => FOLLOW_ALL.has(names[at]!));
      await until(() => ofLists.every((client) => ofAnother(client) === 1));
      await world.stop();
      await world.start();
      for (const { grant } of flows) await grant();
      for (const [at, client] of clients.entries()) {
        expect([names[at], await client.exit, unexpected(client)]).toEqual([names[at], 0, '']);
        expect(says(client, 'connected')).toBe(true);
      }
      // They resumed behind the last change that came, not behind the first.
      expect(ofLists.map(ofAnother)).toEqual(ofLists.map(() => 1));
    });

    it('begin while the service is away, and hear of the connection', async () => {
      const flows = await Promise.all(names.map(() => world.flow()));
      const repeated = await world.away();
      const clients = names.map((name, at) => world.copy.start(name, { INTEGRATION_ID: flows[at]!.id }));
      // Some clients read the position first, and name their integration only then.
      await until(() => {
        const named = flows.filter(({ id }) => repeated.some((request) => request.includes(id)));
        const positions = new Set(repeated.filter((request) => request.includes('latestChange')));
        return named.length + positions.size >= flows.length;
      });
      await world.start();
      await until(() => clients.every((client) => says(client, 'pending')));
      for (const { grant } of flows) await grant();
      for (const [at, client] of clients.entries()) {
        expect([names[at], await client.exit, unexpected(client)]).toEqual([names[at], 0, '']);
        expect(says(client, 'connected')).toBe(true);
      }
    });

    it('end when the user denies access', async () => {
      const flows = await Promise.all(names.map(() => world.flow()));
      const clients = names.map((name, at) => world.copy.start(name, { INTEGRATION_ID: flows[at]!.id }));
      await until(() => clients.every((client) => says(client, 'pending')));
      for (const { deny } of flows) await deny();
      for (const [at, client] of clients.entries()) {
        expect([names[at], await client.exit, says(client, 'disconnected')]).toEqual([names[at], 1, true]);
        expect(unexpected(client)).toBe('access_denied\n');
      }
    });

    it('end with the flow of a reconnect, and not before', async () => {
      const flows = await Promise.all(
        names.map(async () => {
          const { id, grant } = await world.flow();
          await grant();
          return world.reconnect(id);
        }),
      );
      const ended = new Set<string>();
      const clients = names.map((name, at) => {
        const { id, version } = flows[at]!;
        const client = world.copy.start(name, { INTEGRATION_ID: id, AFTER_VERSION: String(version) });
        void client.exit.then(() => ended.add(name));
        return client;
      });
      await until(() => clients.every(({ lines }, at) => SILENT.test(names[at]!) || lines.length > 0));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect([...ended]).toEqual([]);
      for (const { grant } of flows) await grant();
      for (const [at, client] of clients.entries()) {
        expect([names[at], await client.exit, says(client, 'connected')]).toEqual([names[at], 0, true]);
      }
    });

    it('go on when the connection expires during its reconnect', async () => {
      const flows = await Promise.all(
        names.map(async () => {
          const { id, grant } = await world.flow();
          await grant();
          return world.reconnect(id);
        }),
      );
      const clients = names.map((name, at) => {
        const { id, version } = flows[at]!;
        return world.copy.start(name, { INTEGRATION_ID: id, AFTER_VERSION: String(version) });
      });
      await until(() => clients.every(({ lines }, at) => SILENT.test(names[at]!) || lines.length > 0));
      await world.service.db.query(
        `UPDATE integrations SET expires_at = clock_now(), renew_at = NULL WHERE id = ANY($1)`,
        [flows.map(({ id }) => fromPublicId('int', id))],
      );
      await until(() => clients.every((client) => says(client, 'expired')));
      for (const { grant } of flows) await grant();
      for (const [at, client] of clients.entries()) {
        expect([names[at], await client.exit, says(client, 'connected')]).toEqual([names[at], 0, true]);
      }
    });

    it('end at once when their key is unknown', async () => {
      const { id } = await world.flow();
      const clients = names.map((name) => world.copy.start(name, { INTEGRATION_ID: id, API_KEY: 'wfk_unknown' }));
      for (const [at, client] of clients.entries()) {
        const ended = [names[at], await client.exit, unexpected(client)];
        expect(ended).toEqual([names[at], 1, expect.stringMatching(SENTENCE)]);
      }
    });

    it('end when their key is revoked', async () => {
      const { id } = await world.flow();
      const secret = await world.service.key('read-only');
      const clients = names.map((name) => world.copy.start(name, { INTEGRATION_ID: id, API_KEY: secret }));
      await until(() => clients.every((client) => says(client, 'pending')));
      await revoke(id);
      for (const [at, client] of clients.entries()) {
        expect([names[at], await client.exit]).not.toEqual([names[at], 0]);
        // The reason of the refusal: a status, the close code of a socket, or the text of curl.
        expect([names[at], unexpected(client)]).toEqual([names[at], expect.stringMatching(SENTENCE)]);
        expect([names[at], client.errors]).toEqual([names[at], expect.stringMatching(/401/)]);
      }
    });
  });
}

const BEGIN_AGAIN = ['graphql-ws.mjs', 'apollo.mjs', 'urql.mjs'];

it.each(BEGIN_AGAIN)('%s begins again when it was away for longer than changes are kept', async (name) => {
  const { id, grant } = await world.flow();
  const client = world.copy.start(name, { INTEGRATION_ID: id });
  const pending = () => client.lines.filter((line) => line === `${id} PENDING`).length;
  await until(() => pending() === 1);
  const other = await world.flow();
  const tellsOfOther = () => client.lines.some((line) => line.startsWith(other.id));
  // The client resumes behind this change, or behind the one before: Apollo's list shows it only when it is read again.
  if (name !== 'apollo.mjs') await until(tellsOfOther);
  await world.service.db.query(`UPDATE integration_changes SET at = at - interval '31 days'`);
  await world.stop();
  await world.start();
  await until(() => (name === 'apollo.mjs' ? tellsOfOther() : pending() === 2));
  await grant();
  expect([await client.exit, client.errors, says(client, 'connected')]).toEqual([0, '', true]);
});

/** Revokes the read-only key of the account that has the integration. */
async function revoke(integration: string): Promise<void> {
  const [key] = await world.service.db.query<{ id: string; account: string }>(
    `SELECT k.id, k.account_id AS account FROM api_keys k JOIN integrations i ON i.account_id = k.account_id
     WHERE i.id = $1 AND k.scope = 'read-only' AND k.revoked_at IS NULL`,
    [fromPublicId('int', integration)],
  );
  await world.service.apiKeys.revoke(key!.account, toPublicId('key', key!.id));
}
