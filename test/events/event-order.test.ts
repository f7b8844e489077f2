import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { EventNumbering } from '../../src/features/webhooks/log/event-numbering.js';
import { currentWork, workFor } from '../../src/platform/admission/work.js';
import { recordEvents } from '../../src/features/webhooks/record-events.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { ADVISORY_LOCKS } from '../../src/platform/db/advisory-locks.js';
import { type Database, type Transaction } from '../../src/platform/db/database.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

let server: TestServer;
let numbering: EventNumbering;
/** Connections of writers whose transactions the test begins and ends in any order. */
const writers: pg.Client[] = [];
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  numbering = new EventNumbering(server.db, { hint: () => undefined } as never, createLogger('silent'));
  for (let n = 0; n < 4; n += 1) {
    const writer = new pg.Client({ connectionString: server.database.url });
    await writer.connect();
    writers.push(writer);
  }
});
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.end()));
  await server.close();
});

/** Adds an event to the open transaction of a writer. */
async function record(writer: pg.Client, accountId: string, name: string): Promise<void> {
  const query = async (text: string, values: unknown[]) => (await writer.query(text, values)).rows;
  const tx = { query, countStored: () => undefined };
  await recordEvents(tx as unknown as Transaction, new Date(), [
    { type: 'workflow.updated', accountId, workflowUuid: null, data: { name } },
  ]);
}

interface Step {
  writer: number;
  does: 'record' | 'commit' | 'rollback' | 'number';
}

const STEPS = fc.array(
  fc.record({
    writer: fc.integer({ min: 0, max: 3 }),
    does: fc.constantFrom<Step['does']>('record', 'record', 'record', 'commit', 'rollback', 'number'),
  }),
  { minLength: 10, maxLength: 60 },
);

let accounts = 0;
async function account(): Promise<{ client: Client; uuid: string }> {
  const name = `Order ${(accounts += 1)}`;
  const client = new Client(server.baseUrl, await server.key('read-write', name));
  const [row] = await server.db.query<{ id: string }>(`SELECT id FROM accounts WHERE name = $1`, [name]);
  return { client, uuid: row!.id };
}

/** A reader that continues behind the last event that it has. */
class Reader {
  readonly names: string[] = [];
  private after = '';

  constructor(private readonly client: Client) {}

  async read(): Promise<void> {
    for (;;) {
      const { data } = (await this.client.rest('GET', `/events?limit=7${this.after}`)).body;
      if (data.length === 0) return;
      this.names.push(...data.map((event: any) => event.data.name));
      this.after = `&after=${data.at(-1).id}`;
    }
  }
}

describe('events with long texts', () => {
  it('are numbered a few at a time', async () => {
    const { uuid } = await account();
    const [writer] = writers;
    for (let n = 0; n < 60; n += 1) await record(writer!, uuid, randomBytes(100_000).toString('hex'));
    const positions: number[] = [];
    const hint = (_topic: unknown, { position }: { position: number }) => positions.push(position);
    await new EventNumbering(server.db, { hint } as never, createLogger('silent')).run();
    // 200 kB each, 4 MB in one transaction.
    expect(positions).toEqual([21, 42, 60]);
  });
});

describe('the order of events', () => {
  it('has each committed event once, behind every event that was committed before it was read', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const { client, uuid } = await account();
        const reader = new Reader(client);
        const open = new Map<number, string[]>();
        const committed: string[] = [];
        let count = 0;
        const end = async (writer: number, how: 'COMMIT' | 'ROLLBACK') => {
          if (!open.has(writer)) return;
          await writers[writer]!.query(how);
          if (how === 'COMMIT') committed.push(...open.get(writer)!);
          open.delete(writer);
        };
        for (const { writer, does } of steps) {
          if (does === 'record') {
            if (!open.has(writer)) {
              await writers[writer]!.query('BEGIN');
              open.set(writer, []);
            }
            const name = `${(count += 1)}`;
            await record(writers[writer]!, uuid, name);
            open.get(writer)!.push(name);
          } else if (does === 'commit') await end(writer, 'COMMIT');
          else if (does === 'rollback') await end(writer, 'ROLLBACK');
          else {
            // What was read before stays the beginning of what is read later: nothing appears behind a reader's place.
            const before = [...reader.names];
            await reader.read();
            expect(reader.names.slice(0, before.length)).toEqual(before);
            expect(reader.names.toSorted()).toEqual(committed.toSorted());
          }
        }
        for (const writer of writers.keys()) await end(writer, 'COMMIT');
        await reader.read();
        const late = new Reader(client);
        await late.read();
        expect(late.names).toEqual(reader.names);
        expect(late.names.toSorted()).toEqual(committed.toSorted());
      }),
      { numRuns: 30 },
    );
  });

  it('does not wait for a slow transaction, whose events come behind those that committed first', async () => {
    const { client, uuid } = await account();
    const [slow, quick] = writers as [pg.Client, pg.Client];
    await slow.query('BEGIN');
    await record(slow, uuid, 'slow');
    await quick.query('BEGIN');
    await record(quick, uuid, 'quick');
    await quick.query('COMMIT');
    const reader = new Reader(client);
    await reader.read();
    expect(reader.names).toEqual(['quick']);
    await slow.query('COMMIT');
    await reader.read();
    expect(reader.names).toEqual(['quick', 'slow']);
  });

  it('follows the changes of a row, whichever transaction began first', async () => {
    const { client, uuid } = await account();
    await client.rest('POST', '/workflows', { body: { name: '0' } });
    const [early, late] = writers as [pg.Client, pg.Client];
    await early.query('BEGIN');
    await record(early, uuid, 'a number of its own');
    await late.query('BEGIN');
    const change = (writer: pg.Client, name: string) =>
      writer.query(`UPDATE workflows SET name = '${name}' WHERE account_id = '${uuid}'`);
    await change(late, '1');
    const waiting = change(early, '2').then(() => record(early, uuid, '2'));
    await until(async () => (await lockWaits()) > 0);
    await record(late, uuid, '1');
    await late.query('COMMIT');
    await waiting;
    await early.query('COMMIT');
    const reader = new Reader(client);
    await reader.read();
    expect(reader.names).toEqual(['0', 'a number of its own', '1', '2']);
  });

  it('has numbers without gaps, also of more events than one turn numbers, while several processes number', async () => {
    const some = [await account(), await account(), await account()].map(({ uuid }) => uuid);
    const add = (count: number) =>
      server.db.query(
        `INSERT INTO event_arrivals (id, account_id, type, at, body)
         SELECT uuid_at(clock_now()), a.id, 'workflow.updated', clock_now(), '{"data":{"name":' || n || '}}'
         FROM generate_series(1, $2::int) n, unnest($1::uuid[]) a (id) ORDER BY n`,
        [some, count],
      );
    await add(2_500);
    const another = new EventNumbering(server.db, { hint: () => undefined } as never, createLogger('silent'));
    const number = async () => {
      for (let n = 0; n < 20; n += 1) await Promise.all([numbering.run(), another.catchUp(), add(20)]);
    };
    await number();
    await numbering.run();
    const numbers = await server.db.query(
      `SELECT e.account_id AS account, count(*) AS count, count(DISTINCT position) AS distinct, min(position) AS min,
         max(position) AS max, (SELECT c.position FROM event_counters c WHERE c.account_id = e.account_id) AS last
       FROM events e WHERE account_id = ANY ($1) GROUP BY account_id ORDER BY array_position($1, account_id)`,
      [some],
    );
    const all = { count: 2_900, distinct: 2_900, min: 1, max: 2_900, last: 2_900 };
    expect(numbers).toEqual(some.map((uuid) => ({ account: uuid, ...all })));
  });

  it('keeps no rows of numbered events', async () => {
    const { uuid } = await account();
    const pages = async () => {
      const [size] = await server.db.query<{ pages: number }>(
        `SELECT pg_relation_size('event_arrivals') / current_setting('block_size')::int AS pages`,
      );
      return size!.pages;
    };
    const some = async () => {
      await server.db.query(
        `INSERT INTO event_arrivals (id, account_id, type, at, body)
         SELECT uuid_at(clock_now()), $1, 'workflow.updated', clock_now(), '{"data":{}}' FROM generate_series(1, 2000)`,
        [uuid],
      );
      await numbering.run();
      await numbering.tidy();
    };
    for (let n = 0; n < 3; n += 1) await some();
    const before = await pages();
    for (let n = 0; n < 10; n += 1) await some();
    expect(await pages()).toBeLessThan(2 * before);
  });
});

/** Connections to this database that wait for a lock. */
async function lockWaits(): Promise<number> {
  const [row] = await server.db.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row!.count;
}

describe('a turn whose lock another session has', () => {
  const holding = async (work: () => Promise<void>) => {
    await writers[0]!.query(`SELECT pg_advisory_lock(${ADVISORY_LOCKS.eventNumbering})`);
    await work().finally(() => writers[0]!.query('SELECT pg_advisory_unlock_all()'));
  };
  /** The numbering with the limits of the locks of its turns; `onTurn` runs after each of them. */
  const counted = (onTurn: (turns: number) => unknown = () => undefined) => {
    const limits: (number | undefined)[] = [];
    const db: Pick<Database, 'query' | 'transaction'> = {
      query: (text, values) => server.db.query(text, values),
      transaction: (work, lockMs) => {
        limits.push(lockMs);
        return server.db.transaction(work, lockMs).finally(() => onTurn(limits.length));
      },
    };
    const hints = { hint: () => undefined } as never;
    return { limits, numbering: new EventNumbering(db as Database, hints, createLogger('silent')) };
  };
  const add = async () =>
    server.db.query(
      `INSERT INTO event_arrivals (id, account_id, type, at, body)
       VALUES (uuid_at(clock_now()), $1, 'workflow.updated', clock_now(), '{"data":{}}')`,
      [(await account()).uuid],
    );

  it('gives its connection back after a quarter of a second, and is tried six times', async () => {
    await add();
    const { limits, numbering: trying } = counted();
    await holding(() => expect(trying.run()).rejects.toMatchObject({ code: '55P03' }));
    expect(limits).toEqual(Array.from({ length: 6 }, () => 250));
  });

  it('numbers once the lock is free', async () => {
    await add();
    const { limits, numbering: trying } = counted((turns) => {
      if (turns === 2) void writers[0]!.query('SELECT pg_advisory_unlock_all()');
    });
    await holding(() => trying.run());
    expect(limits.length).toBeGreaterThan(2);
    expect(await server.db.query('SELECT 1 FROM event_arrivals')).toEqual([]);
  });
});

describe('readers that catch up at the same time', () => {
  it('wait for no turn of the account that came first', async () => {
    const parties: string[] = [];
    const db = {
      outsideUnitOfWork: (work: () => Promise<void>) => work(),
      query: () => {
        parties.push(currentWork().party);
        return Promise.resolve([]);
      },
    };
    const shared = new EventNumbering(db as never, {} as never, createLogger('silent'));
    await Promise.all(['one', 'other'].map((party) => workFor(party, () => shared.catchUp())));
    expect(new Set(parties)).toEqual(new Set(['callers']));
  });
});
