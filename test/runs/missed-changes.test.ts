import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { recordFirings } from '../../src/features/runs/queue/firings.js';
import { saveRuns } from '../../src/features/runs/execution/run-rows.js';
import { type RunStatus } from '../../src/features/runs/run-status.js';
import { changeId, changeOf, type RunStatusChange } from '../../src/features/runs/feed/run-change.js';
import { publishRunChanges } from '../../src/features/runs/feed/run.events.js';
import { RunFeed } from '../../src/features/runs/feed/run-feed.js';
import { missedChanges } from '../../src/features/runs/feed/missed-changes.js';
import { ReadChanges } from '../../src/features/runs/feed/read-changes.js';
import { positionOf, positionOfList } from '../../src/features/runs/feed/run-positions.js';
import { RunStream } from '../../src/features/runs/feed/run-stream.js';
import { type RunChange } from '../../src/features/runs/queue/runs-changed.js';
import { type Queryable } from '../../src/platform/db/database.js';
import { newUuid, timeOf } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { type Notifications } from '../../src/platform/notifications/notifications.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { until } from '../support/until.js';
import { fill } from '../support/database/fill.js';

let world: TriggerWorld;
let trigger: Trigger;
let feeds: RunFeed[];
beforeAll(async () => {
  world = await TriggerWorld.open();
});
beforeEach(async () => {
  for (const table of ['runs', 'late_run_changes']) await world.db.query(`DELETE FROM ${table}`);
  trigger = await world.trigger();
  feeds = [];
});
afterEach(() => feeds.forEach((feed) => feed.stop()));
afterAll(() => world.close());

const now = () => world.clock.now().getTime();
const named = ({ runUuid, version }: Pick<RunStatusChange, 'runUuid' | 'version'>) => `${runUuid}_${version}`;

/** A change of a run's row, written as workers do; it is not sent. */
async function change(run: string, to: RunStatus, version: number, at: number, startedAt = at): Promise<RunChange> {
  return world.db.transaction(async (tx) => {
    const of = { uuid: run, accountId: trigger.accountId, workflowUuid: trigger.workflowUuid };
    const from = version === 2 ? 'queued' : 'running';
    const rest = {
      reason: null,
      error: null,
      resumeAt: null,
      claim: null,
      workersLost: 0,
      startedAt: new Date(startedAt),
    };
    const changes = await saveRuns(tx, [
      { run: of, from, status: to, version, at: new Date(Math.max(at, startedAt)), ...rest },
    ]);
    await publishRunChanges(silent, tx, changes);
    return changes[0]!;
  });
}
const silent = { publish: () => undefined } as unknown as Notifications;

/** Waits until the transactions of before have ended in the whole cluster, so that the marks of later ones are exact. */
async function settled(): Promise<void> {
  const [before] = await world.db.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
  await until(async () => {
    const [row] = await world.db.query<{ xmin: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin',
    );
    return BigInt(row!.xmin) > BigInt(before!.id);
  });
}

/** What a listener receives that resumes behind a change, until it waits for the feed. */
async function resumed(
  after: string,
  on: Pick<Queryable, 'query'> = world.db,
  tell?: (stream: Told) => void,
): Promise<string[]> {
  const position = await positionOf(world.db, trigger.accountId, after, world.clock.now());
  let hear!: Told;
  const stream = new RunStream(({ tell: told }) => ((hear = told), () => undefined), {
    ends: false,
    onSlowReader: () => undefined,
    waiting: () => 10_000,
    missed: () => 10_000,
    read: new ReadChanges(),
  });
  tell?.(hear);
  const wanted = { accountId: trigger.accountId, workflowUuid: null };
  void stream.resume((from) => missedChanges(on, wanted, from), position).then(() => stream.changes.end());
  const got: string[] = [];
  for await (const each of stream.changes) got.push(named(each));
  return got;
}
type Told = (change: RunStatusChange) => void;

/** A feed with notifications that the test sends, and what a listener of the account is told. */
function feed(on: Pick<Queryable, 'query'> = world.db) {
  const line = { hear: (_: RunChange[]) => {}, resync: () => {}, queued: () => {} };
  const notifications = {
    on: (_: unknown, handler: (changes: RunChange[]) => void) => ((line.hear = handler), () => undefined),
    onResync: (handler: () => void) => void (line.resync = handler),
  };
  const queue = { onQueued: (handler: () => void) => ((line.queued = handler), () => undefined) };
  const made = new RunFeed(on, world.clock, notifications as never, queue, createLogger('silent'));
  feeds.push(made);
  const told: string[] = [];
  const { accountId } = trigger;
  made.listen(
    'account',
    accountId,
    { accountId, tell: (each) => void told.push(named(each)), lose: () => undefined },
    0,
  );
  return { made, line, told };
}

describe('a listener that resumes', () => {
  it('gets what changes during the reading from the feed, in the order of the commits', async () => {
    const after = await positionOfList(world.db, world.clock.now());
    const at = now();
    await world.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, input, created_at)
       SELECT id, $2, $3, $4, 'webhook', 'queued', 'null', $5 FROM unnest($1::uuid[]) id`,
      [
        Array.from({ length: 199 }, () => newUuid(new Date(at))),
        ...[trigger.accountId, trigger.workflowUuid, trigger.uuid, new Date(at)],
      ],
    );
    const early = await world.run(trigger, { at: new Date(at + 1) });
    const wanted = { accountId: trigger.accountId, workflowUuid: null };
    const position = await positionOf(world.db, trigger.accountId, after, world.clock.now());
    const reading = missedChanges(world.db, wanted, position);
    await reading.next();
    await change(early, 'running', 2, at + 2);
    const later = await world.run(trigger, { at: new Date(at + 3) });
    await change(later, 'running', 2, at + 4);
    const got: string[] = [];
    for await (const batch of reading) got.push(...batch.map(({ change: each }) => named(each)));
    expect(got).toContain(`${early}_1`);
    for (const id of [`${early}_2`, `${later}_1`, `${later}_2`]) expect(got).not.toContain(id);
  });

  it('gets the start of a run before its end, which was stored while older changes were read', async () => {
    const at = now();
    const old = await world.run(trigger, { at: new Date(at - 3_600_000) });
    const last = await world.run(trigger, { at: new Date(at - 40_000) });
    const run = await world.run(trigger, { at: new Date(at - 9_000) });
    await world.db.query(
      `INSERT INTO late_run_changes (account_id, at, run_id, version, workflow_id, previous_status, status)
       SELECT $1, $2::timestamptz + n * interval '1 ms', $3, 2 + n, $4, 'queued', 'running' FROM generate_series(1, 600) n`,
      [trigger.accountId, new Date(at - 30_000), old, trigger.workflowUuid],
    );
    let tell!: Told;
    let reads = 0;
    const query: Queryable['query'] = async (text, values) => {
      const rows = await world.db.query(text, values);
      if (text.includes('FROM late_run_changes') && (reads += 1) === 1) {
        tell(changeOf(await change(run, 'running', 2, at + 500)));
        tell(changeOf(await change(run, 'succeeded', 3, at + 1_500, at + 500)));
      }
      return rows as never;
    };
    const got = await resumed(changeId(last, 1), { query }, (told) => (tell = told));
    expect(got.filter((id) => id.startsWith(run))).toEqual([1, 2, 3].map((version) => `${run}_${version}`));
  });

  it('gets a change whose notification was slower than the creation of another run', async () => {
    const { line, told } = feed();
    const run = await world.run(trigger, { at: world.clock.now() });
    line.queued();
    await until(() => told.includes(`${run}_1`));
    await change(run, 'running', 2, now());
    await settled();
    const next = await world.run(trigger, { at: new Date(now() + 1) });
    line.queued();
    await until(() => told.includes(`${next}_1`));
    expect(told).not.toContain(`${run}_2`);
    expect(await resumed(changeId(next, 1))).toContain(`${run}_2`);
  });

  it('gets the creation of a run that was never sent', async () => {
    const run = await world.run(trigger, { at: new Date(now() - 15_000) });
    await settled();
    const next = await world.run(trigger, { at: world.clock.now() });
    await change(next, 'running', 2, now());
    expect(await resumed(changeId(next, 1))).toContain(`${run}_1`);
  });

  it('gets all changes of a run that a process with a clock behind ended', async () => {
    const after = await positionOfList(world.db, world.clock.now());
    const run = await world.run(trigger, { at: new Date(now() + 20) });
    const made = timeOf(run).getTime();
    await change(run, 'running', 2, made);
    await change(run, 'canceled', 3, made - 6, made);
    const got = await resumed(after);
    expect(got.filter((id) => id.startsWith(run))).toEqual([1, 2, 3].map((version) => `${run}_${version}`));
  });

  it('holds few changes while its client reads nothing', async () => {
    const at = now() - 3_600_000;
    const ids = Array.from({ length: 1_000 }, (_, each) => newUuid(new Date(at + each)));
    await world.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, version, input, created_at, started_at,
         finished_at)
       SELECT id, $2, $3, $4, 'webhook', 'succeeded', 3, 'null', $5, $5, $5 FROM unnest($1::uuid[]) id`,
      [ids, trigger.accountId, trigger.workflowUuid, trigger.uuid, new Date(at)],
    );
    const stream = new RunStream(() => () => undefined, {
      ends: false,
      onSlowReader: () => undefined,
      waiting: () => 10_000,
      missed: () => 50,
      read: new ReadChanges(),
    });
    const wanted = { accountId: trigger.accountId, workflowUuid: null };
    const limits = new Set<unknown>();
    const query: Queryable['query'] = (text, values = []) => {
      if (text.includes('FROM runs r')) limits.add(values.at(-1));
      return world.db.query(text, values);
    };
    void stream.resume((from) => missedChanges({ query }, wanted, from, () => 20), { at, horizon: 0n });
    await until(() => stream.changes.waiting > 0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(stream.changes.waiting).toBe(50);
    expect([...limits]).toEqual([20]);
    await stream.changes.return();
  });
});

describe('a listener whose notifications were lost', () => {
  it('gets a change that was committed seconds after its time, between two reads', async () => {
    const { line, told } = feed();
    const run = await world.run(trigger, { at: new Date(now() - 20_000) });
    line.resync();
    await until(() => told.includes(`${run}_1`));
    const at = now() - 3_000;
    await change(run, 'running', 2, at);
    line.resync();
    await until(() => told.includes(`${run}_2`));
  });

  it('gets the changes of all runs in order, also of those that have a listener of their own', async () => {
    const { made, line, told } = feed();
    const [first, second] = [await world.run(trigger), await world.run(trigger)];
    made.listen('run', second, { accountId: trigger.accountId, tell: () => undefined, lose: () => undefined });
    const at = now();
    await change(first, 'running', 2, at + 1);
    await change(second, 'running', 2, at + 2);
    line.resync();
    await until(() => told.length >= 4);
    expect(told.filter((id) => id.endsWith('2'))).toEqual([`${first}_2`, `${second}_2`]);
  });

  it('gets the end of an old run behind more than 10,000 newer ones', async () => {
    const { line, told } = feed();
    const run = await world.run(trigger, { at: new Date(now() - 3_600_000) });
    await fill(
      world.url,
      `INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, version, input, created_at, started_at,
         finished_at)
       SELECT overlay($1::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, $2, $3, $4, 'webhook', 'succeeded', 3, 'null',
         $5, $5, $5 FROM generate_series(1, 10001) n`,
      [
        newUuid(new Date(now() - 600_000)),
        trigger.accountId,
        trigger.workflowUuid,
        trigger.uuid,
        new Date(now() - 600_000),
      ],
    );
    await change(run, 'succeeded', 3, now(), now());
    line.resync();
    await until(() => told.includes(`${run}_3`));
  });

  it('gets all of more than 10,000 changes that come while the tables are read', async () => {
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const query: Queryable['query'] = async (text, values) => {
      if (text.includes('WHERE r.account_id')) {
        read();
        await gate;
      }
      return world.db.query(text, values);
    };
    const { line, told } = feed({ query });
    const run = await world.run(trigger);
    line.resync();
    await isRead;
    const at = now();
    await change(run, 'running', 2, at);
    const other = {
      account: trigger.accountId,
      workflow: trigger.workflowUuid,
      from: 'queued',
      to: 'running',
    } as const;
    for (let each = 0; each < 11; each += 1) {
      line.hear(Array.from({ length: 1_000 }, () => ({ ...other, run: newUuid(new Date(at)), version: 2, at })));
    }
    open();
    await until(() => told.includes(`${run}_2`));
  });
});

it('notifies every process of a skipped run at its commit', async () => {
  const listening = new pg.Client(world.url);
  await listening.connect();
  const heard: string[] = [];
  listening.on('notification', ({ payload }) => void heard.push(payload!));
  await listening.query('LISTEN gateway');
  await world.db.query(`UPDATE triggers SET status = 'paused' WHERE id = $1`, [trigger.uuid]);
  const firing = { triggerUuid: trigger.uuid, input: '{}', key: null, hops: 0 };
  const [outcome] = await world.db.transaction((tx) => recordFirings(tx, world.queue, world.clock.now(), [firing]));
  await until(() => heard.some((text) => text.includes(outcome!.runUuid) && text.includes('"skipped"')));
  await listening.end();
});
