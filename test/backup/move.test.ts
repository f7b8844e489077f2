import { type ChildProcess } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { markMoved, moveOf } from '../../src/platform/db/embedded/moved-mark.js';
import { freePort } from '../support/http/free-port.js';
import { scratchFolder } from '../support/scratch.js';
import { ServiceProcess } from '../support/service-process.js';
import { gateway, spawnGateway } from '../support/shell-command.js';
import { until } from '../support/until.js';
import { emptyTarget, type EmptyTarget } from './support/empty-target.js';
import { fillFolder } from './support/filled-folder.js';
import { moveAndCompare } from './support/move-and-compare.js';

const RELATIONS = `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`;

describe('workflow-gateway move', () => {
  const folder = scratchFolder();
  const dataDir = join(folder, 'data');
  let target: EmptyTarget;
  beforeAll(async () => {
    target = await emptyTarget();
  });
  afterAll(async () => {
    await target.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('copies every row of every table, also those of old weeks and of the job queue', async () => {
    await moveAndCompare(dataDir, target, 3_000);
    const next = `INSERT INTO trigger_change_fan_outs (account_id, triggers, status, hops, at, webhooks)
      SELECT id, '{}', 'active', 0, now(), '{}' FROM accounts RETURNING id::int`;
    expect(await target.query(next)).toEqual([{ id: 4 }]);
    const keys = `SELECT count(*)::int AS keys FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`;
    expect((await target.query(keys))[0]!.keys).toBeGreaterThan(5);
  });

  it('marks the source, whose service then warns, and opens the target', async () => {
    const env = { PORT: String(await freePort()), DATA_DIR: dataDir };
    const service = await ServiceProcess.start(env);
    const doctor = await gateway(env, 'doctor', '--json');
    const busy = await gateway(env, 'move', '--to', target.url);
    await service.stop();
    expect(service.output).toMatch(/"level":"?(?:warn|40).*the database in DATA_DIR was moved/);
    expect(service.output).not.toContain(new URL(target.url).password);
    expect([busy.status, busy.stderr]).toEqual([1, expect.stringMatching(/Another service already runs/)]);
    expect(doctor.status).toBe(0);
    const ENCRYPTION_KEY = Buffer.alloc(32).toString('base64');
    const moved = await ServiceProcess.start({ ...env, DATABASE_URL: target.url, ENCRYPTION_KEY });
    expect(await moved.stop()).toBe(0);
    expect(moved.output).not.toContain('was moved');
  });

  it.each([
    ['a target that is not empty', () => ({}), () => target.url, 1, /not empty: it has/],
    [
      'DATABASE_URL',
      () => ({ DATABASE_URL: target.url, ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') }),
      () => target.url,
      1,
      /DATABASE_URL is set/,
    ],
    [
      'a folder without a database',
      () => ({ DATA_DIR: join(folder, 'none') }),
      () => target.url,
      1,
      /There is no database/,
    ],
    ['another kind of address', () => ({}), () => 'mysql://localhost/x', 2, /--to must be a postgres/],
    ['a server that is away', () => ({}), () => 'postgres://127.0.0.1:1/x', 1, /ECONNREFUSED/],
  ])('refuses %s', async (_, env, to, status, message) => {
    const refused = await gateway({ DATA_DIR: dataDir, ...env() }, 'move', '--to', to());
    expect([refused.status, refused.stdout, refused.stderr]).toEqual([status, '', expect.stringMatching(message)]);
  });

  it('leaves the target empty and the source unmarked when it is interrupted', async () => {
    const [other, second] = [join(folder, 'other'), await emptyTarget()];
    await fillFolder(other, 20_000);
    const child = spawnGateway({ DATA_DIR: other }, 'move', '--to', second.url);
    await until(async () => (await second.query(RELATIONS)).length > 0);
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(await second.query(RELATIONS)).toEqual([]);
    expect(readdirSync(other)).not.toContain('moved.json');
    await second.drop();
  });

  describe('whose copy is committed, but not released yet', () => {
    const RUNS = 'SELECT count(*)::int AS runs FROM runs';
    const WAITING = `FROM pg_locks WHERE NOT granted AND relation = 'unfinished_restore'::regclass`;
    const TERMINATE = `SELECT pg_terminate_backend(pid) ${WAITING}`;
    const IS_RELEASED = `SELECT to_regclass('unfinished_restore') IS NULL AS released`;
    const source = join(folder, 'source');
    let copy: EmptyTarget;
    beforeAll(() => fillFolder(source, 10));
    beforeEach(async () => {
      copy = await emptyTarget();
    });
    afterEach(() => copy.drop());

    /** Holds a move at its last statement: `strike` happens while PostgreSQL has it, and then carries it out. */
    async function atRelease(strike: (move: ChildProcess) => Promise<unknown>): Promise<unknown[]> {
      const holder = new pg.Client({ connectionString: copy.url });
      await holder.connect();
      const child = spawnGateway({ DATA_DIR: source }, 'move', '--to', copy.url);
      const ended = once(child, 'close');
      await until(async () => (await copy.query(IS_RELEASED))[0]!.released === false);
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE unfinished_restore IN ACCESS SHARE MODE');
      await until(async () => (await copy.query(`SELECT pid ${WAITING}`)).length > 0);
      await strike(child);
      await holder.end();
      return ended;
    }

    it('has marked the source when it is killed', async () => {
      const ended = await atRelease(async (child) => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      });
      expect(ended).toEqual([null, 'SIGKILL']);
      await until(async () => (await copy.query(IS_RELEASED))[0]!.released === true);
      expect(await copy.query(RUNS)).toEqual([{ runs: 10 }]);
      expect(readdirSync(source)).toContain('moved.json');
      rmSync(join(source, 'moved.json'));
    });

    it('takes the mark back when the target fails, and the target is empty', async () => {
      expect(await atRelease(() => copy.query(TERMINATE))).toEqual([1, null]);
      expect(await copy.query(RELATIONS)).toEqual([]);
      expect(readdirSync(source)).not.toContain('moved.json');
    });

    it('keeps the mark of an earlier move when it fails', async () => {
      const earlier = { at: '2026-01-01T00:00:00.000Z', to: 'postgres://earlier/gateway' };
      markMoved(source, earlier);
      expect(await atRelease(() => copy.query(TERMINATE))).toEqual([1, null]);
      expect(moveOf(source)).toEqual(earlier);
    });
  });
});
