import { loadConfig } from '../../src/platform/config/config.js';
import { type Database } from '../../src/platform/db/database.js';
import { AppRegistry } from '../../src/features/integrations/apps/registry.js';
import { type PeriodicJob } from '../../src/platform/jobs/periodic.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { openPlatform } from '../../src/process/open-platform.js';
import { wire } from '../../src/process/wire-features.js';
import { TestClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

/** The real jobs over a new database; none is started by a timer. */
export class PruneWorld {
  readonly clock = new TestClock();
  private readonly steps: (() => unknown)[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly db: Database,
    readonly jobs: readonly PeriodicJob[],
  ) {}

  /** `keys` are the encryption keys, the newest first. */
  static async open(keys = [Buffer.alloc(32)]): Promise<PruneWorld> {
    const database = await createTestDatabase();
    const steps: (() => unknown)[] = [() => database.drop()];
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: keys.map((key) => key.toString('base64')).join(',') };
    const loaded = loadConfig(env);
    const platform = await openPlatform(loaded, { logger: createLogger('silent') }, (step) => steps.push(step));
    const { baseUrl } = loaded.config;
    const apps = new AppRegistry({ baseUrl, sandbox: true, credentials: () => undefined, fileApps: [] });
    const features = wire(platform, apps);
    steps.push(() => features.stop());
    const world = new PruneWorld(database, platform.db, features.jobs);
    world.steps.push(...steps);
    return world;
  }

  async close(): Promise<void> {
    for (const step of this.steps.reverse()) await step();
  }

  /** Runs every job that deletes outdated rows. @returns the number of statements. */
  async prune(signal?: AbortSignal): Promise<number> {
    const before = this.db.statements;
    for (const job of this.jobs.filter(({ name }) => name.startsWith('prune'))) await job.run(signal);
    return this.db.statements - before;
  }

  /** Runs one turn of a job. */
  async run(name: string): Promise<void> {
    await this.jobs.find((job) => job.name === name)!.run();
  }

  async count(table: string): Promise<number> {
    const [row] = await this.db.query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
    return row!.count;
  }

  /** From now on a statement that deletes more than this many rows of the table fails like a timeout. */
  async limit(table: string, rows: number): Promise<void> {
    await this.db.source.query(`
      CREATE OR REPLACE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT count(*) FROM gone) > ${rows} THEN RAISE 'too many' USING ERRCODE = 'query_canceled'; END IF;
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER refuse_many AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`);
  }

  async unlimit(table: string): Promise<void> {
    await this.db.source.query(`DROP TRIGGER refuse_many ON ${table}`);
  }
}
