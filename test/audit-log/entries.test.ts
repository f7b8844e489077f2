import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensurePartitions } from '../../src/platform/partitions/weekly-partitions.js';
import { AUDIT_KEPT_MS, dropAuditEntriesJob } from '../../src/features/audit-log/audit-log.job.js';
import { AUDIT_ACTIONS } from '../../src/features/audit-log/audit-action.js';
import { Client } from '../support/http/client.js';
import { signedIn } from '../support/worlds/people.js';
import { PruneWorld } from '../stored/prune-world.js';
import { AuditWorld } from './audit-world.js';

let world: AuditWorld;
beforeAll(async () => {
  world = await AuditWorld.open({ TRUST_PROXY: '1' });
});
afterAll(() => world.close());

const rest = (method: string, path: string, body?: object, headers = {}) =>
  world.writer.rest(method, path, { ...(body && { body }), headers });

describe('an entry', () => {
  it('says who changed what, when, from where, and the fields before and after', async () => {
    const { id } = (await rest('POST', '/workflows', { name: 'Orders', description: 'x' })).body;
    await rest('PUT', `/workflows/${id}`, { status: 'active' }, { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' });
    const [entry] = await world.entries(`&resource=${id}`);
    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: { kind: 'api_key', id: expect.stringMatching(/^key_/), name: expect.any(String) },
      action: 'workflow.updated',
      resource: { type: 'workflow', id, name: 'Orders' },
      address: '203.0.113.7',
      before: { name: 'Orders', description: 'x', status: 'draft', failure_notice_after: 3 },
      after: { name: 'Orders', description: 'x', status: 'active', failure_notice_after: 3 },
    });
    await rest('DELETE', `/workflows/${id}`);
    const all = await world.entries(`&resource=${id}`);
    expect(all.map(({ action }) => action)).toEqual(['workflow.deleted', 'workflow.updated', 'workflow.created']);
    expect(all[0]).toMatchObject({ before: { name: 'Orders', status: 'active' }, after: null });
  });

  it('of a connection has the reason of its status before, as after', async () => {
    const { integration_id: id } = (await rest('POST', '/integrations/connect', { type: 'sandbox_oauth' })).body;
    await rest('POST', `/integrations/${id}/disconnect`);
    const [entry] = await world.entries(`&resource=${id}`);
    expect(entry).toMatchObject({
      action: 'integration.disconnected',
      before: { status: 'pending', reason: 'awaiting_authorization' },
      after: { status: 'disconnected', reason: 'disconnected_by_user' },
    });
  });

  it('of a changed workflow is described with every field that it may change', async () => {
    const { id } = (await rest('POST', '/workflows', { name: 'Described' })).body;
    await rest('PUT', `/workflows/${id}`, { failure_notice_after: 5 });
    const [entry] = await world.entries(`&resource=${id}`);
    const words = Object.keys(entry.after).map((field) => field.split('_').slice(0, 2).join(' '));
    for (const word of words) expect(AUDIT_ACTIONS['workflow.updated'].toLowerCase()).toContain(word);
    expect(words).toContain('failure notice');
  });

  it('of the same change is the same by a person', async () => {
    const { client } = world.person;
    const { id } = (await client.rest('POST', '/workflows', { body: { name: 'By hand' } })).body;
    expect((await world.entries(`&resource=${id}`))[0]).toMatchObject({ actor: { kind: 'user', name: 'Ada' } });
  });

  it('holds no secret', async () => {
    const planted = (place: string) => `planted-${place}-0123456789`;
    const { id } = (await rest('POST', '/workflows', { name: 'Sealed' })).body;
    const headers = { authorization: `Bearer ${planted('header')}` };
    const body = { password: planted('body') };
    const url = `https://example.com/${planted('path')}?key=${planted('query')}`;
    const config = { method: 'POST', url, headers, body };
    await rest('PUT', `/workflows/${id}/actions`, { actions: [{ name: 'a', kind: 'http_request', config }] });
    await rest('PUT', `/workflows/${id}/actions`, { actions: [{ name: 'b', kind: 'http_request', config }] });
    const hook = { workflow_id: id, type: 'webhook', config: { secret: planted('trigger'), unknown: planted('key') } };
    const trigger = (await rest('POST', '/triggers', hook)).body;
    await rest('PUT', `/triggers/${trigger.id}`, { config: { secret: planted('changed') } });
    const credentials = { api_key: 'sandbox_valid_key' };
    const integration = (await rest('POST', '/integrations/connect', { type: 'sandbox_api_key', credentials })).body;
    await rest('POST', `/integrations/${integration.id}/reconnect`, { credentials });
    const webhook = (
      await rest('POST', '/webhooks', { url: `http://127.0.0.1:9/${planted('url')}`, events: ['run.failed'] })
    ).body;
    await rest('PUT', `/webhooks/${webhook.id}`, { url: `http://127.0.0.1:9/${planted('url')}` });
    const rotated = (await rest('POST', `/webhooks/${webhook.id}/rotate_secret`)).body;
    const key = await world.person.client.graphql(
      'mutation { createApiKey(input: { label: "x", scope: READ_ONLY }) { secret } }',
    );
    const secrets = [
      webhook.secret,
      rotated.secret,
      key.body.data.createApiKey.secret,
      'sandbox_valid_key',
      'planted-',
    ];
    const token = trigger.webhook_url.split('/').at(-1);
    const texts = (await world.server.db.query<{ text: string }>(`SELECT a::text AS text FROM audit_log a`)).map(
      ({ text }) => text,
    );
    for (const secret of [...secrets, token]) {
      expect(secret.length).toBeGreaterThan(7);
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    const [changed] = await world.entries(`&resource=${id}&action=workflow.actions_updated`);
    expect(changed.before.actions).toEqual([{ name: 'a', kind: 'http_request' }]);
    expect(changed.after.actions).toEqual([{ name: 'b', kind: 'http_request' }]);
    expect((await world.entries(`&resource=${webhook.id}`)).at(-1).after).toEqual({
      origin: 'http://127.0.0.1:9',
      events: ['run.failed'],
      status: 'enabled',
      workflow_id: null,
    });
  });

  it('is committed with its change, or not at all', async () => {
    const { id } = (await rest('POST', '/workflows', { name: 'Whole' })).body;
    await world.server.db.source.query(
      `ALTER TABLE audit_log ADD CONSTRAINT no_more CHECK (action <> 'workflow.updated') NOT VALID`,
    );
    expect((await rest('PUT', `/workflows/${id}`, { name: 'Lost' })).status).toBe(500);
    await world.server.db.source.query(`ALTER TABLE audit_log DROP CONSTRAINT no_more`);
    expect((await rest('GET', `/workflows/${id}`)).body.name).toBe('Whole');
  });
});

describe('the audit log', () => {
  it('is closed to keys, and to other accounts', async () => {
    for (const scope of ['read-only', 'read-write'] as const) {
      const client = new Client(world.server.baseUrl, await world.server.key(scope));
      expect((await client.rest('GET', '/audit_log')).status).toBe(403);
      const query = '{ auditLog { items { id } } auditLogConnection { edges { node { id } } } }';
      const codes = (await client.graphql(query)).body.errors!.map(({ extensions }) => extensions.code);
      expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    }
    const [own] = await world.entries();
    const stranger = await signedIn(world.server, { account: 'other' });
    expect((await stranger.client.rest('GET', `/audit_log?resource=${own.resource.id}`)).body.data).toEqual([]);
  });

  it('is filtered by actor, action, resource and time', async () => {
    const [newest] = await world.entries();
    const { id } = (await rest('POST', '/workflows', { name: 'Filtered' })).body;
    const [entry] = await world.entries(`&resource=${id}`);
    expect(await world.entries(`&actor=${entry.actor.id}&action=workflow.created&resource=${id}`)).toEqual([entry]);
    expect(await world.entries(`&resource=${id}&action=workflow.deleted`)).toEqual([]);
    expect(await world.entries(`&actor=${entry.actor.id.replace(/^key/, 'wf')}`)).toEqual([]);
    expect(await world.entries('&resource=nonsense')).toEqual([]);
    const later = new Date(world.server.clock.now().getTime() + 1_000).toISOString();
    expect(await world.entries(`&created_after=${later}`)).toEqual([]);
    expect((await world.entries(`&created_before=${later}`))[0]).toEqual(entry);
    const unknown = await world.person.client.rest('GET', '/audit_log?action=workflow.renamed');
    expect([unknown.status, unknown.body.details[0].field]).toEqual([400, 'action']);
    expect(newest.id).not.toBe(entry.id);
  });

  it('has pages, and is a connection', async () => {
    const { client } = world.person;
    const first = await client.rest('GET', '/audit_log?per_page=2');
    expect(first.body.meta).toMatchObject({ page: 1, per_page: 2, total: expect.any(Number) });
    const rest = await client.rest('GET', `/audit_log?per_page=2&after=${first.body.data[1].id}`);
    const all = await world.entries();
    expect([...first.body.data, ...rest.body.data]).toEqual(all.slice(0, 4));
    const query = '{ auditLogConnection(first: 3) { totalCount edges { node { id actor { kind } } } } }';
    const { auditLogConnection } = (await client.graphql(query)).body.data;
    expect(auditLogConnection.edges.map(({ node }: any) => node.id)).toEqual(all.slice(0, 3).map(({ id }) => id));
    expect(auditLogConnection.totalCount).toBe(all.length);
  });

  it('is neither changed nor deleted by a statement', async () => {
    const { db } = world.server;
    for (const statement of ['UPDATE audit_log SET action = action', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(db.source.query(statement)).rejects.toThrow('never changed');
  });
});

describe('old entries', () => {
  it('go with their week after 365 days', async () => {
    const old = await PruneWorld.open();
    try {
      const weeks = () =>
        old.db.query<{ name: string }>(
          `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
           WHERE i.inhparent = 'audit_log'::regclass ORDER BY 1`,
        );
      const drop = dropAuditEntriesJob(old.db, old.clock);
      await ensurePartitions(old.db, old.clock.now());
      const before = await weeks();
      expect(before).toHaveLength(11);
      await drop.run();
      expect(await weeks()).toEqual(before);
      await old.clock.advance(old.db, AUDIT_KEPT_MS + 7 * 86_400_000);
      await drop.run();
      // The weeks that had ended: last week and this one.
      expect(before.length - (await weeks()).length).toBe(2);
    } finally {
      await old.close();
    }
  });
});
