import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { type Running } from './guide.js';

let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterEach(() => world.start());
afterAll(() => world.close());

/** The block with the token of a session, once it has printed the URL that its user opens. */
async function started(token: string): Promise<Running> {
  const client = world.copy.start('connect-session.mjs', { API_KEY: '', SESSION_TOKEN: token, TYPE: 'oauth_app' });
  await until(() => client.lines.length > 0 || client.errors !== '');
  return client;
}

async function endOf(client: Running) {
  const code = await client.exit;
  return { code, statuses: client.lines.slice(1).map((line) => line.split(' ')[1]), errors: client.errors };
}

describe('connect-session.mjs', () => {
  it('hears of the connection through a restart of the service, and of nothing twice', async () => {
    const client = await started(await world.session());
    await world.stop();
    await world.start();
    await world.answer(client.lines[0]!);
    expect(await endOf(client)).toEqual({ code: 0, statuses: ['CONNECTED'], errors: '' });
  });

  it('fails with the reason when the user denies access, and connects with the same token later', async () => {
    const token = await world.session();
    const denied = await started(token);
    await world.answer(denied.lines[0]!, { error: 'access_denied' });
    expect(await endOf(denied)).toEqual({ code: 1, statuses: ['DISCONNECTED'], errors: 'access_denied\n' });
    const granted = await started(token);
    await world.answer(granted.lines[0]!);
    expect((await endOf(granted)).code).toBe(0);
  });

  it('fails when the integration is deleted', async () => {
    const client = await started(await world.session());
    const { body } = await world.client.rest('GET', '/integrations?status=pending');
    await world.client.rest('DELETE', `/integrations/${body.data[0].id}`);
    expect(await endOf(client)).toEqual({ code: 1, statuses: ['DISCONNECTED'], errors: 'deleted\n' });
  });

  it('ends with the session, and is refused with a token that is not one', async () => {
    const client = await started(await world.session());
    await world.service.db.query(`UPDATE connect_sessions SET expires_at = clock_now()`);
    // A socket ends at the time that it knew: a new one is refused.
    await world.stop();
    await world.start();
    const { code, errors } = await endOf(client);
    expect([code, errors]).toEqual([1, expect.stringMatching(/^Socket closed with 4401 .*\n$/)]);
    const unknown = await endOf(await started('wfs_unknown'));
    expect([unknown.code, unknown.errors]).toEqual([1, expect.stringMatching(/^\S.*\n$/)]);
  });
});
