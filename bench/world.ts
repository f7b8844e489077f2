import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../src/platform/db/embedded/embedded-postgres.js';
import { Child } from './child.js';
import { type Seed, seedDatabase, type Sizes } from './seed.js';
import { type ServerName } from './scenarios/scenario.js';

/** A server under test: its process and its port. */
export interface Running {
  child: Child;
  port: number;
}

/** A seeded database with both servers, and the process of their clients. */
export interface World {
  databaseUrl: string;
  /** The folder of the embedded database. */
  dataDir: string;
  seed: Seed;
  servers: Readonly<Record<ServerName, Running>>;
  load: Child;
  /** Starts another service on the same database with these roles (default `api`) and further environment variables. */
  startService: (roles?: string, env?: Record<string, string>) => Promise<Running>;
}

/** The pool size of both servers. */
const POOL = '10';

/** The entry point of this build. */
const OURS = fileURLToPath(new URL('../src/main.js', import.meta.url));

/**
 * Starts everything, and stops it when `work` is done. `other` is the `dist` of another build of the service to compare
 * with.
 */
export async function inWorld<T>(
  other: string | undefined,
  sizes: Sizes,
  work: (world: World) => Promise<T>,
): Promise<T> {
  const undo: (() => unknown)[] = [];
  try {
    const { databaseUrl, dataDir } = await startDatabase(undo);
    const started = async (running: Running): Promise<Running> => {
      undo.push(() => running.child.stop());
      await listening(running);
      return running;
    };
    const startService = async (main = OURS, roles = 'api', env = {}): Promise<Running> =>
      started(await service(databaseUrl, main, roles, env));
    const first = await startService();
    const seed = await seedDatabase(databaseUrl, sizes);
    const limit = await started(await limitServer(databaseUrl));
    const servers = { service: first, limit, other: other ? await startService(resolve(other, 'src/main.js')) : first };
    const load = Child.start(fileURLToPath(new URL('./load/load.js', import.meta.url)));
    undo.push(() => load.stop());
    return await work({
      databaseUrl,
      dataDir,
      seed,
      servers,
      load,
      startService: (roles, env) => startService(OURS, roles, env),
    });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function startDatabase(undo: (() => unknown)[]): Promise<Pick<World, 'databaseUrl' | 'dataDir'>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  // Under root PostgreSQL runs as another user, which must be able to pass through.
  chmodSync(dataDir, 0o711);
  const database = await startEmbedded({ dataDir, log: (line) => process.stderr.write(`${line}\n`) });
  undo.push(() => database.stop());
  return { databaseUrl: database.url, dataDir: database.dataDir };
}

/** As in production, log included, but without rate limits and with runs left to another worker. */
async function service(
  databaseUrl: string,
  main: string,
  roles: string,
  more: Record<string, string>,
): Promise<Running> {
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: POOL,
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    ROLES: roles,
    RATE_LIMITS: 'off',
    DRAIN_DELAY: '0',
    DRAIN_IDLE: '0',
    ...more,
  };
  return { port, child: Child.start(main, { env, metered: true }) };
}

async function limitServer(databaseUrl: string): Promise<Running> {
  const port = await freePort();
  const env = { NODE_ENV: 'production', PORT: String(port), DATABASE_URL: databaseUrl, DATABASE_POOL: POOL };
  return {
    port,
    child: Child.start(fileURLToPath(new URL('./limit-server.js', import.meta.url)), { env, metered: true }),
  };
}

async function listening({ child, port }: Running): Promise<void> {
  for (const end = Date.now() + 30_000; ;) {
    if (child.hasEnded) throw new Error('A server under test did not start.');
    try {
      await fetch(`http://127.0.0.1:${port}/livez`);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
