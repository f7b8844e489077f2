import pg from 'pg';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { Client } from '../support/http/client.js';
import { until } from '../support/until.js';
import { EventWorld, type Source } from './event-world.js';

let world: EventWorld;
beforeAll(async () => {
  world = await EventWorld.open({ ALLOW_PRIVATE_NETWORK: 'true' });
});
beforeEach(async () => {
  await world.server.db.query('DELETE FROM triggers');
  await world.server.db.query('DELETE FROM integrations');
});
afterAll(() => world.close());

const disconnect = ({ id }: Source, baseUrl = world.server.baseUrl) =>
  new Client(baseUrl, world.client.key).rest('POST', `/integrations/${id}/disconnect`);
const reconnect = ({ id }: Source) =>
  world.client.rest('POST', `/integrations/${id}/reconnect`, {
    body: { credentials: { api_key: 'sandbox_valid_key' } },
  });
const put = ({ id }: { id: string }, body: object) => world.client.rest('PUT', `/triggers/${id}`, { body });
const event = { type: 'thing.made' };

describe('a trigger of an integration', () => {
  it('is in error while the integration is not connected, and its events are kept as skipped runs', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    expect((await disconnect(source)).status).toBe(200);
    expect(await world.statusOf(trigger)).toBe('error');
    const { status, body } = await world.post(source, event);
    expect([status, body.accepted, body.run_ids!.length]).toEqual([202, true, 1]);
    expect(await world.run(body.run_ids![0]!)).toMatchObject({
      status: 'skipped',
      status_reason: 'trigger_error',
      input: event,
    });
    expect((await reconnect(source)).status).toBe(200);
    expect(await world.statusOf(trigger)).toBe('active');
    await world.post(source, event);
    expect([await world.count(trigger), await world.count(trigger, 'skipped')]).toEqual([1, 1]);
  });

  it('stays in error permanently when the integration is deleted', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    await world.client.rest('DELETE', `/integrations/${source.id}`);
    await world.connect('unsigned');
    expect(await world.statusOf(trigger)).toBe('error');
  });

  it('stays paused if it was paused', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    await put(trigger, { status: 'paused' });
    await disconnect(source);
    expect(await world.statusOf(trigger)).toBe('paused');
    const refused = await put(trigger, { status: 'active' });
    expect([refused.status, refused.body.details[0].field]).toEqual([400, 'config.integration_id']);
    await reconnect(source);
    expect(await world.statusOf(trigger)).toBe('paused');
    expect((await put(trigger, { status: 'active' })).body.status).toBe('active');
  });

  it('can be paused while it is in error, and then stays paused', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    await disconnect(source);
    expect((await put(trigger, { status: 'paused' })).body.status).toBe('paused');
    await reconnect(source);
    expect(await world.statusOf(trigger)).toBe('paused');
  });

  it('is active again once it names another that is connected', async () => {
    const [lost, other] = [await world.connect('unsigned'), await world.connect('unsigned')];
    const trigger = await world.trigger({ event: 'thing.made', integration_id: lost.id });
    await disconnect(lost);
    const same = await put(trigger, { config: { event: 'thing.made', integration_id: lost.id } });
    expect([same.status, same.body.status]).toEqual([200, 'error']);
    expect((await put(trigger, { config: { event: 'thing.gone', integration_id: lost.id } })).status).toBe(400);
    const { body } = await put(trigger, { config: { event: 'thing.made', integration_id: other.id } });
    expect(body.status).toBe('active');
    await disconnect(lost);
    await world.post(other, event);
    expect(await world.count(trigger)).toBe(1);
  });

  it('is in error when its tokens expire', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    // As if they had had an expiry, which has passed.
    const { db } = world.server;
    await db.query(`UPDATE integrations SET expires_at = now() - interval '1 minute' WHERE id = $1`, [
      fromPublicId('int', source.id),
    ]);
    const worker = await world.another({ ROLES: 'worker' });
    try {
      await until(async () => (await world.statusOf(trigger)) === 'error');
      expect((await world.client.rest('GET', `/integrations/${source.id}`)).body).toMatchObject({
        status: 'expired',
        status_reason: 'token_expired',
      });
    } finally {
      await worker.close();
    }
  });
});

describe('a trigger of any integration', () => {
  it('is in error as long as no integration offers its event', async () => {
    const [one, other] = [await world.connect('unsigned'), await world.connect('other_unsigned')];
    const [made, gone] = [await world.trigger({ event: 'thing.made' }), await world.trigger({ event: 'thing.gone' })];
    await disconnect(one);
    expect([await world.statusOf(made), await world.statusOf(gone)]).toEqual(['active', 'error']);
    await disconnect(other);
    expect([await world.statusOf(made), await world.statusOf(gone)]).toEqual(['error', 'error']);
    await world.connect('other_unsigned');
    expect([await world.statusOf(made), await world.statusOf(gone)]).toEqual(['active', 'error']);
    await world.connect('unsigned');
    expect([await world.statusOf(made), await world.statusOf(gone)]).toEqual(['active', 'active']);
  });

  it('is not fired by an integration that is not connected', async () => {
    const [lost, connected] = [await world.connect('unsigned'), await world.connect('unsigned')];
    const trigger = await world.trigger({ event: 'thing.made' });
    await disconnect(lost);
    expect(await world.statusOf(trigger)).toBe('active');
    const { body } = await world.post(lost, event);
    expect(await world.run(body.run_ids![0]!)).toMatchObject({
      status: 'skipped',
      status_reason: 'integration_not_connected',
    });
    await world.post(connected, event);
    expect([await world.count(trigger), await world.count(trigger, 'skipped')]).toEqual([1, 1]);
  });

  it('is in error when its last two end at the same moment, through two processes', async () => {
    const second = await world.another();
    try {
      for (let round = 0; round < 5; round += 1) {
        const [one, other] = [await world.connect('unsigned'), await world.connect('other_unsigned')];
        const trigger = await world.trigger({ event: 'thing.made' });
        await Promise.all([disconnect(one), disconnect(other, second.baseUrl)]);
        expect(await world.statusOf(trigger)).toBe('error');
      }
    } finally {
      await second.close();
    }
  });

  it('does not touch those of another account', async () => {
    const stranger = new Client(world.server.baseUrl, await world.server.key('read-write', 'stranger'));
    const own = await world.connect('unsigned');
    await world.connect('unsigned', stranger);
    const theirs = await world.trigger({ event: 'thing.made' }, { client: stranger });
    await disconnect(own);
    expect((await stranger.rest('GET', `/triggers/${theirs.id}`)).body.status).toBe('active');
  });
});

describe('the status of triggers', () => {
  it('is correct when a trigger is changed while its integration ends, and neither request is refused', async () => {
    for (let round = 0; round < 6; round += 1) {
      const source = await world.connect('unsigned');
      const config = { event: 'thing.made', integration_id: source.id };
      const trigger = await world.trigger(config);
      const answers = await Promise.all([
        ...[1, 2].map((n) => put(trigger, { config: { ...config, filter: { n } } })),
        put(trigger, { config }),
        put(trigger, { status: 'active' }),
        disconnect(source),
        world.post(source, event),
      ]);
      for (const { status } of answers) expect([200, 202, 400]).toContain(status);
      expect(answers[4]!.status).toBe(200);
      expect(await world.statusOf(trigger)).toBe('error');
    }
  });

  it('changes with the change of the integration, or not at all', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    await world.server.db.query(`
      CREATE FUNCTION refuse_error() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`);
    await world.server.db.query(`
      CREATE TRIGGER refuse_error BEFORE UPDATE ON triggers FOR EACH ROW EXECUTE FUNCTION refuse_error()`);
    expect((await disconnect(source)).status).toBe(500);
    await world.server.db.query('DROP TRIGGER refuse_error ON triggers');
    expect((await world.client.rest('GET', `/integrations/${source.id}`)).body).toMatchObject({
      status: 'connected',
      version: 1,
    });
    expect(await world.statusOf(trigger)).toBe('active');
  });

  it('is reported to outbound webhooks', async () => {
    const source = await world.connect('unsigned');
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    const webhook = await world.client.rest('POST', '/webhooks', {
      body: { url: 'http://127.0.0.1:9/', events: ['trigger.updated'] },
    });
    expect(webhook.status).toBe(201);
    await disconnect(source);
    await reconnect(source);
    const told = await world.server.db.query<{ body: string }>(
      `SELECT body FROM webhook_events WHERE body LIKE '%"trigger.updated"%' ORDER BY id`,
    );
    expect(told.map(({ body }) => JSON.parse(body).data)).toMatchObject([
      { id: trigger.id, status: 'error' },
      { id: trigger.id, status: 'active' },
    ]);
  });

  it('is correct for a trigger that is created while its integration ends', async () => {
    const source = await world.connect('unsigned');
    const holder = new pg.Client({ connectionString: world.server.database.url });
    await holder.connect();
    // The creation of the trigger waits halfway; the integration ends only after it.
    await holder.query('BEGIN');
    const workflowId = await world.workflow();
    await holder.query('SELECT 1 FROM workflows WHERE id = $1 FOR UPDATE', [fromPublicId('wf', workflowId)]);
    const making = world.trigger({ event: 'thing.made' }, { workflowId });
    await until(async () => {
      const [row] = await world.server.db.query<{ waiting: number }>(
        `SELECT count(*) AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      return row!.waiting > 0;
    });
    const ending = disconnect(source);
    await holder.query('COMMIT');
    await holder.end();
    const [trigger] = await Promise.all([making, ending]);
    expect(await world.statusOf(trigger)).toBe('error');
  });
});
