import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountMail } from '../../../src/features/accounts/account-mail.js';
import { failingMailsJob } from '../../../src/features/runs/failures/failing-mails.job.js';
import { type Database } from '../../../src/platform/db/database.js';
import { MailQueue } from '../../../src/platform/mail/mail-queue.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { addUsers } from '../../support/worlds/people.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
});
afterAll(() => server.close());

/** A turn of the job, in a server that runs none itself. `between` runs after the job has read whose notices wait. */
async function turn(between: () => Promise<unknown> = async () => undefined): Promise<void> {
  const { db, clock } = server;
  const racing = {
    query: async (...[sql, values]: Parameters<Database['query']>) => {
      const rows = await db.query(sql, values);
      await between();
      return rows;
    },
    transaction: db.transaction.bind(db),
  } as unknown as Database;
  const mail = new AccountMail(new MailQueue(clock), 'operator@example.com');
  await failingMailsJob({ db: racing, clock, mail, baseUrl: 'https://flows.example' }).run();
}

async function account(name: string): Promise<string> {
  await server.key('read-write', name);
  const [row] = await server.db.query<{ id: string }>(`SELECT id FROM accounts WHERE name = $1`, [name]);
  return row!.id;
}

const notice = (of: string) =>
  server.db.query(
    `INSERT INTO failure_notices (id, account_id, workflow_id, workflow_name, failures, run_id)
     SELECT gen_random_uuid(), id, gen_random_uuid(), 'Of ' || name, 3, gen_random_uuid() FROM accounts WHERE id = $1`,
    [of],
  );

const mailsTo = async (to: string): Promise<string[]> => {
  const rows = await server.db.query<{ subject: string }>(
    `SELECT subject FROM mails WHERE $1 = ANY (recipients) ORDER BY id`,
    [to],
  );
  return rows.map(({ subject }) => subject);
};

describe('a mail to the operator about accounts without users', () => {
  it('leaves out an account that gets its first user meanwhile, who reads of no other account', async () => {
    const [joined, alone] = [await account('Joined'), await account('Alone')];
    await notice(joined);
    await notice(alone);
    await turn(() => addUsers(server, joined, ['first@people.example']));
    expect(await mailsTo('first@people.example')).toEqual([]);
    expect(await mailsTo('operator@example.com')).toEqual(['Workflow “Of Alone” is failing']);
    await turn();
    expect(await mailsTo('first@people.example')).toEqual(['Workflow “Of Joined” is failing']);
    expect(await mailsTo('operator@example.com')).toHaveLength(1);
  });

  it('is not delayed by a mail that had nobody left', async () => {
    await server.advance(601_000);
    const [peopled, lonely] = [await account('Peopled'), await account('Lonely')];
    const before = await mailsTo('operator@example.com');
    await notice(peopled);
    await turn(() => addUsers(server, peopled, ['second@people.example']));
    await notice(lonely);
    await turn();
    expect((await mailsTo('operator@example.com')).slice(before.length)).toEqual(['Workflow “Of Lonely” is failing']);
  });

  it('gets the notices of an account whose last user leaves meanwhile, within its interval', async () => {
    await server.advance(601_000);
    const left = await account('Left');
    await addUsers(server, left, ['last@people.example']);
    await notice(left);
    const before = await mailsTo('operator@example.com');
    await turn(() => server.db.query(`DELETE FROM users WHERE account_id = $1`, [left]));
    expect(await mailsTo('operator@example.com')).toEqual(before);
    await turn();
    expect((await mailsTo('operator@example.com')).slice(before.length)).toEqual(['Workflow “Of Left” is failing']);
  });
});
