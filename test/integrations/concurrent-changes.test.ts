import { fromPublicId } from '../../src/platform/ids/ids.js';
import { type TestServer } from '../support/server.js';
import { Client } from '../support/http/client.js';
import { IntegrationWorld, stateOf } from './world.js';
import { until } from '../support/until.js';

const ACCOUNTS = ['one', 'two'];

describe('concurrent requests of every kind to the same integrations', () => {
  let world: IntegrationWorld;
  let second: TestServer;

  beforeAll(async () => {
    // A hundred changes of one account wait for one another, on a busy machine for long.
    world = await IntegrationWorld.open({ patience: 120_000 });
    second = await world.another();
  });
  afterAll(async () => {
    await second.close();
    await world.close();
  });

  /** Versions of each integration and positions of each account, with what they should be. */
  async function expectGapless(): Promise<void> {
    const { db } = world.server;
    const gaps = await db.query(
      `SELECT c.integration_id, array_agg(c.version ORDER BY c.version) AS versions, i.version FROM integration_changes c
       JOIN integrations i ON i.id = c.integration_id GROUP BY c.integration_id, i.version
       HAVING array_agg(c.version ORDER BY c.version) <> ARRAY(SELECT generate_series(1, i.version))`,
    );
    expect(gaps).toEqual([]);
    const positions = await db.query(
      `SELECT account_id FROM integration_changes JOIN accounts a ON a.id = account_id GROUP BY account_id, a.change_position
       HAVING count(*) <> a.change_position OR max(position) <> a.change_position OR count(DISTINCT position) <> count(*)`,
    );
    expect(positions).toEqual([]);
    // Each change begins with the status after the one before it, and the row matches the last one.
    const breaks = await db.query(
      `SELECT * FROM (SELECT integration_id, version, previous_status,
         lag(status) OVER (PARTITION BY integration_id ORDER BY version) AS ended FROM integration_changes) c
       WHERE previous_status IS DISTINCT FROM ended`,
    );
    expect(breaks).toEqual([]);
    const strays = await db.query(
      `SELECT i.id, i.status, c.status AS said FROM integrations i
       JOIN integration_changes c ON c.integration_id = i.id AND c.version = i.version
       WHERE i.status <> c.status OR (i.status = 'connected') <> (i.credentials IS NOT NULL) AND i.status <> 'expired'
          AND NOT EXISTS (SELECT 1 FROM authorizations a WHERE a.integration_id = i.id)`,
    );
    expect(strays).toEqual([]);
  }

  it('are never a 5xx, leave no gap in versions and positions, and every pending integration has its flow', async () => {
    const clients = await Promise.all(
      ACCOUNTS.flatMap((account) =>
        [world.server, second].map(async (server) => {
          return new Client(server.url, await world.server.key('read-write', account));
        }),
      ),
    );
    const statuses: number[] = [];
    for (const [index] of ACCOUNTS.entries()) {
      const [here, there] = [clients[index * 2]!, clients[index * 2 + 1]!];
      const ids = await Promise.all(
        ['a', 'b', 'c'].map(async () => {
          const { body } = await here.rest('POST', '/integrations/connect', { body: { type: 'oauth_app' } });
          await world.callback({ state: stateOf(body.redirect_url), code: 'alice' });
          return body.integration_id as string;
        }),
      );
      let turn = 0;
      const operations = Array.from({ length: 60 }, () => async () => {
        const number = (turn += 1);
        const [client, id] = [number % 2 ? here : there, ids[number % 3]!];
        const rest = async (method: string, path: string, body?: unknown) => {
          const answer = await client.rest(method, path, { body });
          statuses.push(answer.status);
          return answer;
        };
        switch (number % 10) {
          case 0:
            return rest('POST', `/integrations/${id}/disconnect`);
          case 1:
            return rest('POST', `/integrations/${id}/test`);
          case 2:
            return rest('POST', '/integrations/connect', { type: 'key_app', credentials: { api_key: 'good' } });
          case 3:
            await world.server.db.query(`UPDATE authorizations SET expires_at = created_at WHERE random() < 0.3`);
            return;
          case 4:
            await world.server.db.query(
              `UPDATE integrations SET renew_at = now(), access_expires_at = now() WHERE status = 'connected' AND random() < 0.3 AND auth = 'oauth2'`,
            );
            return;
          case 5:
            return number === 55 && rest('DELETE', `/integrations/${id}`);
          default: {
            const { status, body } = await rest('POST', `/integrations/${id}/reconnect`);
            if (status !== 200) return;
            const query: Record<string, string> = number % 4 ? { code: 'alice' } : { error: 'access_denied' };
            const landing = await world.callback({ state: stateOf(body.redirect_url), ...query });
            statuses.push(landing.status);
          }
        }
      });
      await Promise.all(operations.map((operation) => operation()));
    }
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(100);
    // Every remaining flow ends after its ten minutes.
    await world.server.advance(600_000);
    await until(async () => (await world.server.db.query(`SELECT 1 FROM authorizations`)).length === 0);
    const pending = await world.server.db.query(
      `SELECT id FROM integrations WHERE status = 'pending' AND deleted_at IS NULL`,
    );
    expect(pending).toEqual([]);
    await expectGapless();
  });

  it('number the changes of one account in the order of their commits', async () => {
    const { body } = await world.post('/integrations/connect', { type: 'key_app', credentials: { api_key: 'good' } });
    const [row] = await world.server.db.query<{ account_id: string }>(
      'SELECT account_id FROM integrations WHERE id = $1',
      [fromPublicId('int', body.id as string)],
    );
    const seen: number[] = [];
    const done = new AbortController();
    const watching = (async () => {
      while (!done.signal.aborted) {
        const rows = await second.db.query<{ position: number }>(
          `SELECT position FROM integration_changes WHERE account_id = $1 AND position > $2 ORDER BY position`,
          [row!.account_id, seen.at(-1) ?? 0],
        );
        seen.push(...rows.map(({ position }) => position));
      }
    })();
    await Promise.all(Array.from({ length: 100 }, () => world.start()));
    done.abort();
    await watching;
    // A reader that follows positions would miss one that commits after a greater one.
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1));
  });
});
