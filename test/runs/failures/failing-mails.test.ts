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

/**
 * A turn of the job, in a server that runs none itself. `between` runs after the job has read whose notices wait.
 * @returns the number of its transactions.
 */
async function turn(between: () => Promise<unknown> = async () => undefined): Promise<number> {
  const { db, clock } = server;
  let transactions = 0;
  let hasRead = false;
  const racing = {
    query: async (...[sql, values]: Parameters<Database['query']>) => {
      const rows = await db.query(sql, values);
      if (!hasRead) await between();
      hasRead = true;
      return rows;
    },
    transaction: (...work: Parameters<Database['transaction']>) => {
      transactions += 1;
      return db.transaction(...work);
    },
  } as unknown as Database;
  const mail = new AccountMail(new MailQueue(clock), 'operator@example.com');
  await failingMailsJob({ db: racing, clock, mail, baseUrl: 'https://flows.example' }).run();
  return transactions;
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

describe('a recipient who has just got a mail', () => {
  /** Accounts with one user and one notice each, whose ids sort before those of all others. */
  const crowd = (count: number) =>
    server.db.query(
      `WITH ids AS (
         SELECT n, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id FROM generate_series(1, $1::int) n),
       made AS (INSERT INTO accounts (id, name, created_at) SELECT id, 'Crowd ' || n, now() FROM ids),
       peopled AS (
         INSERT INTO users (id, account_id, email, name, created_at, updated_at)
         SELECT id, id, n || '@crowd.example', 'Person', now(), now() FROM ids),
       mailed AS (INSERT INTO failure_mails (recipient, sent_at) SELECT id::text, $2 FROM ids)
       INSERT INTO failure_notices (id, account_id, workflow_id, workflow_name, failures, run_id)
       SELECT id, id, gen_random_uuid(), 'Crowded', 3, gen_random_uuid() FROM ids`,
      [count, server.clock.now()],
    );

  it('costs no transaction, and does not keep another from the first mail', async () => {
    await server.advance(601_000);
    await crowd(1_000);
    const first = await account('First');
    await addUsers(server, first, ['alone@people.example']);
    await notice(first);
    expect(await turn()).toBe(1);
    expect(await mailsTo('alone@people.example')).toEqual(['Workflow “Of First” is failing']);
    expect(await mailsTo('1@crowd.example')).toEqual([]);
  });

  it('gets the next one after ten minutes, and the oldest notice goes first', async () => {
    await server.advance(600_000);
    expect(await turn()).toBe(1_000);
    const [row] = await server.db.query<{ last: string }>(
      `SELECT recipients[1] AS last FROM mails WHERE recipients[1] LIKE '%@crowd.example' ORDER BY id LIMIT 1`,
    );
    expect(row!.last).toBe('1@crowd.example');
  });

  it('is forgotten with the first mail to another after ten minutes', async () => {
    await server.advance(600_000);
    const later = await account('Later');
    await addUsers(server, later, ['later@people.example']);
    await notice(later);
    await turn();
    expect(await server.db.query(`SELECT recipient FROM failure_mails`)).toEqual([{ recipient: later }]);
  });
});
