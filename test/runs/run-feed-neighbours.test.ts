import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readNewRuns } from '../../src/features/runs/feed/new-runs.js';
import { RememberedVersions } from '../../src/features/runs/feed/remembered-versions.js';
import { RunFeed } from '../../src/features/runs/feed/run-feed.js';
import { type Follower, RunFollowers } from '../../src/features/runs/feed/run-followers.js';
import { RunVersions } from '../../src/features/runs/feed/run-versions.js';
import { type Database } from '../../src/platform/db/database.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { until } from '../support/until.js';

let world: TriggerWorld;
let busy: string;
let quiet: string;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());
beforeEach(async () => {
  // The feed compares with the time of the database.
  world.clock.time = new Date();
  for (const table of ['runs', 'late_run_changes']) await world.db.query(`DELETE FROM ${table}`);
  [busy, quiet] = [randomUUID(), randomUUID()];
});

const now = () => world.clock.now().getTime();

/** Inserts runs that have started, without a hint. @returns their uuids. */
async function started(accountId: string, count: number, workflowId = randomUUID(), ago = 0): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newUuid(new Date(now() - ago)));
  await world.db.query(
    `INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, version, started_at, input, created_at)
     SELECT id, $2, $3, $4, 'webhook', 'running', 2, $5, 'null', $5 FROM unnest($1::uuid[]) id`,
    [ids, accountId, workflowId, randomUUID(), new Date(now() - ago)],
  );
  return ids;
}

/** Stores a change of a run that was created long ago. */
async function stored(accountId: string, at: number): Promise<string> {
  const run = newUuid(new Date(at - 3_600_000));
  await world.db.query(
    `INSERT INTO late_run_changes (account_id, at, run_id, version, workflow_id, previous_status, status)
     VALUES ($1, $2, $3, 4, $4, 'running', 'waiting')`,
    [accountId, new Date(at), run, randomUUID()],
  );
  return run;
}

describe('a listener whose hint is lost beside 10,001 followed runs of another account', () => {
  let feed: RunFeed;
  beforeEach(() => {
    const line = { on: () => () => undefined, onResync: () => undefined };
    feed = new RunFeed(world.db, world.clock, line, { onQueued: () => () => undefined }, createLogger('silent'));
  });
  afterEach(() => feed.stop());
  const quietly = { tell: () => undefined, lose: () => undefined };

  it.each(['run', 'workflow', 'account'] as const)('gets the change of its %s', async (scope) => {
    const ofBusy = await started(busy, 10_001);
    feed.listen('account', busy, { accountId: busy, ...quietly });
    for (const run of ofBusy) feed.listen('run', run, { accountId: busy, ...quietly });
    const workflow = randomUUID();
    const [run] = await started(quiet, 1, workflow);
    const told: number[] = [];
    const followed = { run: run!, workflow, account: quiet }[scope];
    const tell = ({ version }: { version: number }) => told.push(version);
    feed.listen(scope, followed, { accountId: quiet, tell, lose: () => undefined }, 0);
    await until(() => told.includes(2));
  });
});

it('a listener whose hint is lost gets the change also if the clock of its process is ahead', async () => {
  const line = { on: () => () => undefined, onResync: () => undefined };
  const ahead = { now: () => new Date(now() + 7_200_000) };
  const feed = new RunFeed(world.db, ahead, line, { onQueued: () => () => undefined }, createLogger('silent'));
  const told: number[] = [];
  const tell = ({ version }: { version: number }) => told.push(version);
  feed.listen('account', quiet, { accountId: quiet, tell, lose: () => undefined }, 0);
  await started(quiet, 1);
  await until(() => told.includes(2));
  feed.stop();
});

describe('a look for lost hints', () => {
  /** The rows of a look, and those of its statements. */
  async function look(versions: RunVersions, at = now(), accounts = [busy, quiet]) {
    const rounds: number[] = [];
    const runs: string[] = [];
    for await (const found of versions.ofAccounts(new Set(accounts), at)) {
      rounds.push(found.length);
      runs.push(...found.map(({ runUuid }) => runUuid));
    }
    return { rounds, runs };
  }

  it('reads at most 10,000 rows in three statements, and what it leaves out in the next looks', async () => {
    const ofBusy = new Set(await started(busy, 25_000));
    const [ofQuiet] = await started(quiet, 1);
    const versions = new RunVersions(world.db);
    const seen = new Set<string>();
    for (let looks = 0; seen.size <= ofBusy.size; looks += 1) {
      const { rounds, runs } = await look(versions);
      expect(rounds.length).toBeLessThanOrEqual(3);
      expect(runs.length).toBeLessThanOrEqual(10_000);
      expect(looks).toBeLessThanOrEqual(3);
      expect(runs).toContain(ofQuiet);
      for (const run of runs) seen.add(run);
    }
    expect([...ofBusy].filter((run) => !seen.has(run))).toEqual([]);
  });

  it('takes 1,000 accounts at most, and the others next', async () => {
    const [ofQuiet] = await started(quiet, 1);
    const accounts = [...Array.from({ length: 1_500 }, () => randomUUID()), quiet];
    const versions = new RunVersions(world.db);
    expect((await look(versions, now(), accounts)).runs).toEqual([]);
    expect((await look(versions, now(), accounts)).runs).toEqual([ofQuiet]);
  });

  it('continues where a failed one stopped, however long that takes', async () => {
    let isAway = false;
    const query: Database['query'] = (text, values) =>
      isAway ? Promise.reject(new Error('The database is away.')) : world.db.query(text, values);
    const versions = new RunVersions({ query });
    await look(versions);
    const [run] = await started(quiet, 1);
    const change = await stored(quiet, now());
    isAway = true;
    await expect(look(versions, now() + 1_000)).rejects.toThrow('away');
    isAway = false;
    expect((await look(versions, now() + 3_600_000)).runs).toEqual([run, change]);
  });

  it('finds changes that were committed a minute late, or have the time of another clock', async () => {
    const versions = new RunVersions(world.db);
    for (let second = 0; second < 60; second += 1) await look(versions, now() + second * 1_000);
    const change = await stored(quiet, now());
    const [run] = await started(quiet, 1, randomUUID(), 9_000);
    const found = new Set<string>();
    for (let second = 60; second < 120; second += 1) {
      for (const each of (await look(versions, now() + second * 1_000)).runs) found.add(each);
    }
    expect([...found].sort()).toEqual([run, change].sort());
  });

  it('takes as many single runs of each account, and every one in turn', () => {
    const followers = new RunFollowers();
    const follow = (accountId: string, count: number): string[] => {
      const runs = Array.from({ length: count }, () => randomUUID());
      for (const run of runs) followers.add('run', run, { accountId } as Follower);
      return runs;
    };
    const [ofBusy, ofQuiet] = [follow(busy, 100), follow(quiet, 2)];
    const seen = new Set<string>();
    for (let looks = 0; looks < 13; looks += 1) {
      const runs = followers.nextRuns(10);
      expect(runs).toHaveLength(10);
      expect(runs).toEqual(expect.arrayContaining(ofQuiet));
      for (const run of runs) seen.add(run);
    }
    expect(seen.size).toBe(ofBusy.length + ofQuiet.length);
  });
});

describe('a busy account', () => {
  it('does not displace the new run of another one', async () => {
    const [ofQuiet] = await started(quiet, 1, randomUUID(), 1_000);
    await started(busy, 10_001);
    const runs = await readNewRuns(world.db, [busy, quiet], [], now() - 2_000);
    expect(runs).toHaveLength(10_000);
    expect(runs[0]!.uuid).toBe(ofQuiet);
  });

  it('does not displace remembered versions of other ones', () => {
    const versions = new RememberedVersions(100);
    const note = (accountId: string, count: number): void => {
      for (let run = 0; run < count; run += 1) versions.set({ accountId, runUuid: `${run}`, version: 2 });
    };
    const known = (accountId: string): number =>
      Array.from({ length: 1_000 }, (_, run) => versions.of({ accountId, runUuid: `${run}` })).filter(Boolean).length;
    note('quiet', 20);
    note('busy', 1_000);
    expect([known('quiet'), known('busy')]).toEqual([20, 80]);
    for (let other = 0; other < 9; other += 1) note(`other ${other}`, 7);
    expect([known('quiet'), known('busy')]).toEqual([20, 17]);
  });
});
