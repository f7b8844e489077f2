import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client } from '../support/http/client.js';
import { createStartedDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { gateway } from '../support/shell-command.js';
import { atHome, cookieOf, PASSWORD, signedIn } from '../support/worlds/people.js';

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await createStartedDatabase();
  server = await startTestServer({ database, env: { ROLES: 'api' } });
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

const create = (on: Client, name: string) => on.rest('POST', '/workflows', { body: { name } });
const names = async (on: Client): Promise<string[]> =>
  (await on.rest('GET', '/events')).body.data.map((event: any) => event.data.name);

describe('the log of events', () => {
  it('is on in an account that the set-up link makes', async () => {
    const token = (await server.newSetUpLink())!.split('/').at(-1);
    const body = { token, name: 'Ada', email: 'ada@people.example', password: PASSWORD };
    const { headers } = await atHome(server).send('POST', '/auth/set-up', { body });
    const person = atHome(server, cookieOf(headers));
    expect((await person.rest('GET', '/account')).body).toMatchObject({ name: 'default', event_log: true });
    await create(person, 'First');
    expect(await names(person)).toEqual(['First']);
  });

  it.each([
    ['keys create', ['keys', 'create', '--label', 'x', '--scope', 'read-write', '--account', 'by key']],
    ['users invite', ['users', 'invite', 'grace@people.example', '--account', 'by invitation']],
  ])('is on in an account that %s makes', async (_, args) => {
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
    const { status, stderr } = await gateway({ ...env, BASE_URL: 'http://localhost' }, ...args);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    const [account] = await server.db.query(`SELECT event_log AS "isOn" FROM accounts WHERE name = $1`, [args.at(-1)]);
    expect(account).toEqual({ isOn: true });
  });

  it('takes events only while it is on, and keeps those that it has', async () => {
    const { client } = await signedIn(server, { account: 'switching' });
    const turn = async (isOn: boolean) =>
      expect((await client.rest('PUT', '/account', { body: { event_log: isOn } })).body.event_log).toBe(isOn);
    await create(client, 'On');
    await turn(false);
    await create(client, 'Off');
    expect(await names(client)).toEqual(['On']);
    await turn(true);
    await create(client, 'On again');
    expect(await names(client)).toEqual(['On', 'On again']);
  });
});
