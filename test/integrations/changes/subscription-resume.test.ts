import { fromPublicId, newUuid, toPublicId } from '../../../src/platform/ids/ids.js';
import { type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { type Door, type From, type Heard, overSse, overWebSocket } from './listeners.js';
import { IntegrationWorld } from '../world.js';

const DAY = 86_400_000;

describe('resuming integrationStatusChanged', () => {
  let world: IntegrationWorld;
  let servers: [TestServer, TestServer];

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { RATE_LIMITS: 'off' } });
    servers = [world.server, await world.another({ RATE_LIMITS: 'off' })];
  });
  afterAll(async () => {
    await servers[1].close();
    await world.close();
  });

  const listen = (door: Door, from: From, server = world.server) => door(server, world.client.key!, from);

  /** Five pending integrations, each of whose flows is superseded 19 times at the same time: 5 · 39 changes. */
  async function churn(ids: string[]): Promise<void> {
    await Promise.all(
      ids.map(async (id) => {
        for (let turn = 0; turn < 19; turn += 1) await world.restart(id);
      }),
    );
  }

  /** Receives a few changes, leaves, resumes in the other process, and so on, until `enough`. */
  async function hearInPieces(door: Door, begin: From, next: (last: Heard) => From, enough: (all: Heard[]) => boolean) {
    const all: Heard[] = [];
    for (let piece = 0; !enough(all); piece += 1) {
      const last = all.at(-1);
      const listener = listen(door, last ? next(last) : begin, servers[piece % 2]);
      await until(() => listener.heard.length >= 7 || enough([...all, ...listener.heard]));
      all.push(...listener.heard);
      listener.close();
    }
    return all;
  }

  const DOORS = Object.entries({ WebSocket: overWebSocket, SSE: overSse });

  it.each(DOORS)('gives each change of one by afterVersion, none lost or doubled, over %s', async (_, door) => {
    const flows = await Promise.all(Array.from({ length: 5 }, () => world.start()));
    const churning = churn(flows.map(({ id }) => id));
    const heard = await Promise.all(
      flows.map(({ id }) =>
        hearInPieces(
          door,
          { id, afterVersion: 0 },
          ({ version }) => ({ id, afterVersion: version }),
          (all) => all.length >= 39,
        ),
      ),
    );
    await churning;
    const versions = Array.from({ length: 39 }, (_, index) => index + 1);
    for (const changes of heard) expect(changes.map(({ version }) => version)).toEqual(versions);
  });

  it.each(DOORS)('gives each change of the account by after, in the order of commits, over %s', async (_, door) => {
    const { id: startId } = await world.start();
    const [{ id: first }] = (await world.changes(startId)) as [{ id: string }];
    const flows = await Promise.all(Array.from({ length: 5 }, () => world.start()));
    const churning = churn(flows.map(({ id }) => id));
    const heard = await hearInPieces(
      door,
      { after: first },
      ({ id }) => ({ after: id }),
      (all) => all.length >= 195,
    );
    await churning;
    const rows = await world.server.db.query<{ id: string }>(
      `SELECT id FROM integration_changes WHERE account_id = (SELECT account_id FROM integration_changes WHERE id = $1)
         AND position > (SELECT position FROM integration_changes WHERE id = $1) ORDER BY position`,
      [fromPublicId('chg', first)],
    );
    expect(heard.map(({ id }) => id)).toEqual(rows.map(({ id }) => toPublicId('chg', id)));
  });

  it('delivers 600 past changes to a late listener, in order', async () => {
    const { id } = await world.start();
    await world.server.db.query(
      `WITH a AS (UPDATE accounts SET change_position = change_position + 599 WHERE id = (SELECT account_id FROM integrations WHERE id = $1)
         RETURNING id, change_position - 599 AS position)
       INSERT INTO integration_changes SELECT gen_random_uuid(), a.id, $1, a.position + n, n + 1, 'pending', 'pending', 'superseded', now()
         FROM a, generate_series(1, 599) n`,
      [fromPublicId('int', id)],
    );
    await world.server.db.query(`UPDATE integrations SET version = 600 WHERE id = $1`, [fromPublicId('int', id)]);
    for (const door of [overWebSocket, overSse]) {
      const listener = listen(door, { id, afterVersion: 0 });
      await until(() => listener.heard.length >= 600);
      listener.close();
      expect(listener.heard.map(({ version }) => version)).toEqual(
        Array.from({ length: 600 }, (_, index) => index + 1),
      );
    }
  });

  it('refuses an `after` that is unknown, malformed, of another account or older than 30 days', async () => {
    const { id } = await world.start();
    const [{ id: own }] = (await world.changes(id)) as [{ id: string }];
    const end = async (after: string, key = world.client.key!) => {
      const listener = overWebSocket(world.server, key, { after });
      const code = await listener.ended;
      listener.close();
      return code;
    };
    expect(await end(toPublicId('chg', newUuid(new Date())))).toBe('NOT_FOUND');
    expect(await end('chg_nonsense')).toBe('NOT_FOUND');
    expect(await end(id)).toBe('NOT_FOUND');
    expect(await end(own, await world.server.key('read-only', 'stranger'))).toBe('UNAUTHORIZED');
    await world.server.advance(29 * DAY);
    const young = listen(overWebSocket, { after: own });
    await until(() => young.heard.some(({ reason }) => reason === 'authorization_timed_out'));
    young.close();
    await world.server.advance(DAY + 60_000);
    expect(await end(own)).toBe('NOT_FOUND');
  });

  describe.each(DOORS)('a deletion, over %s', (_, door) => {
    it('is the last change, and completes the stream', async () => {
      const { id } = await world.start();
      const listener = listen(door, { id });
      // Without a place to begin at, it could miss what happens before it listens.
      const [{ id: after }] = (await world.changes(id)) as [{ id: string }];
      const everything = listen(door, { after }, servers[1]);
      await until(() => listener.heard.length === 1);
      await world.client.rest('DELETE', `/integrations/${id}`);
      expect(await listener.ended).toBeUndefined();
      expect(listener.heard.map(({ status, reason }) => [status, reason])).toEqual([
        ['PENDING', 'awaiting_authorization'],
        ['DISCONNECTED', 'deleted'],
      ]);
      await until(() =>
        everything.heard.some(({ integrationId, reason }) => integrationId === id && reason === 'deleted'),
      );
      const further = await world.start();
      await until(() => everything.heard.some(({ integrationId }) => integrationId === further.id));
      everything.close();
    });

    it('is received when resuming after it, with the changes before, and completes at once if it is known', async () => {
      const { id } = await world.start();
      await world.restart(id);
      await world.client.rest('DELETE', `/integrations/${id}`);
      const late = listen(door, { id, afterVersion: 1 });
      expect(await late.ended).toBeUndefined();
      expect(late.heard.map(({ reason }) => reason)).toEqual(['superseded', 'awaiting_authorization', 'deleted']);
      const knowing = listen(door, { id, afterVersion: 4 });
      expect([await knowing.ended, knowing.heard]).toEqual([undefined, []]);
    });

    it('refuses a listener that asks for the current state', async () => {
      const { id } = await world.start();
      await world.client.rest('DELETE', `/integrations/${id}`);
      expect(await listen(door, { id }).ended).toMatch(/NOT_FOUND|cut/);
    });
  });
});
