import pg from 'pg';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { until } from '../support/until.js';
import { status } from './receiver.js';
import { WebhookWorld } from './webhook-world.js';

/** Sessions that wait for the row of a webhook. */
const WAITING = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM webhooks WHERE id%FOR NO KEY UPDATE%'`;

describe('the outcomes of deliveries whose webhook a client keeps locked', () => {
  let world: WebhookWorld;
  let client: pg.Client;
  beforeAll(async () => {
    world = await WebhookWorld.open();
    world.startSender();
    client = new pg.Client({ connectionString: world.server.database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await world.close();
  });

  it('use two connections of a process at most, give them back, and are saved once it is free', async () => {
    world.receiver.answer = status(500);
    const { id } = await world.webhook('/locked', ['workflow.created']);
    const uuid = fromPublicId('wh', id as string);
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM webhooks WHERE id = $1 FOR UPDATE', [uuid]);
    for (let n = 0; n < 6; n += 1) await world.workflow();
    const counts: number[] = [];
    const look = async (): Promise<number> => {
      const [row] = await world.server.db.query<{ count: number }>(WAITING);
      counts.push(row!.count);
      return row!.count;
    };
    await until(async () => (await look()) > 0);
    // A statement that keeps its connection would wait for four seconds; these give up after a quarter.
    await until(async () => (await look()) === 0);
    for (let n = 0; n < 50; n += 1) await look();
    // The service's own sender, and that of the world.
    expect(Math.max(...counts)).toBeLessThanOrEqual(4);
    await client.query('COMMIT');
    await until(async () => {
      const [row] = await world.server.db.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM webhook_deliveries WHERE webhook_id = $1 AND attempts >= 1 AND claim IS NULL`,
        [uuid],
      );
      return row!.count === 6;
    });
  });
});

describe('deliveries that a client keeps locked', () => {
  it('delay no delivery of another account to the same host, and are sent once they are free', async () => {
    const world = await WebhookWorld.open({ env: { ROLES: 'api' } });
    const client = new pg.Client({ connectionString: world.server.database.url });
    await client.connect();
    try {
      await world.webhook('/locked', ['workflow.created']);
      await world.workflow();
      await client.query('BEGIN');
      const { rowCount } = await client.query('SELECT 1 FROM webhook_deliveries FOR UPDATE');
      expect(rowCount).toBe(1);
      const other = new Client(world.server.baseUrl, await world.server.key('read-write', 'other'));
      const body = { url: world.receiver.url('/free'), events: ['workflow.created'] };
      expect((await other.rest('POST', '/webhooks', { body })).status).toBe(201);
      await other.rest('POST', '/workflows', { body: { name: 'Theirs' } });
      world.startSender();
      await until(() => world.receiver.at('/free').length === 1);
      expect(world.receiver.at('/locked')).toEqual([]);
      await client.query('COMMIT');
      await until(() => world.receiver.at('/locked').length === 1);
    } finally {
      await client.end();
      await world.close();
    }
  });
});
