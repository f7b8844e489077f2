// A database as a release leaves it, for the test that later versions migrate it and read the same. `npm run release` makes one of
// itself; `node --import @swc-node/register/esm-register scripts/release/fixture.ts VERSION FOLDER` one of another build.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Layout } from '../../src/platform/db/copy/layout.js';
import { Snapshot } from '../../src/platform/db/copy/snapshot.js';
import { startEmbedded } from '../../src/platform/db/embedded/embedded-postgres.js';
import { fill, type Read } from './fill.js';
import { schemaText } from './schema-text.js';

/** The folder of all fixtures. */
export const FIXTURES = 'test/release/fixtures';

/** A filled database, and what the release read in it. */
export interface Fixture extends Layout {
  version: string;
  migrations: readonly string[];
  /** The schema that these migrations made. */
  schema: string[];
  /** The lines of each table in PostgreSQL's text format. */
  rows: Record<string, string[]>;
  reads: Read[];
  /** The address of the service, which is part of what it reads. */
  baseUrl: string;
  /** Both are of this fixture alone. */
  key: string;
  encryptionKey: string;
}

/** The programs of a version: the built ones of a folder, or the present sources. */
export interface Build {
  folder: string;
  /** The arguments of Node.js in front of a source file of this name, and that file. */
  args: (source: string) => string[];
}

const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString('base64');

/** The sources of this checkout. */
export const PRESENT: Build = {
  folder: join(import.meta.dirname, '../..'),
  args: (source) => ['--no-warnings', '--import', '@swc-node/register/esm-register', `src/${source}.ts`],
};

/** A version that is built in a folder. */
const builtIn = (folder: string): Build => ({ folder, args: (source) => [`dist/src/${source}.js`] });

/** Fills a new database by the service of a build, and writes the fixture. @returns its file. */
export async function writeFixture(version: string, { folder, args }: Build): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'fixture-'));
  const database = await startEmbedded({ dataDir: dir, log: (line) => console.error(line) });
  try {
    const port = await freePort();
    const baseUrl = `http://localhost:${port}`;
    const env = {
      PATH: process.env.PATH!,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY,
      PORT: String(port),
      RATE_LIMITS: 'off',
    };
    const service = spawn(process.execPath, args('main'), { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
    const ended = new Promise<number | null>((resolve) => service.once('exit', resolve));
    let reads: Read[], key: string;
    try {
      await ready(`${baseUrl}/readyz`, ended);
      const create = [...args('process/cli/keys'), 'create', '--label', 'fixture', '--scope', 'read-write'];
      const command = spawn(process.execPath, create, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
      key = (await text(command.stdout)).trim();
      reads = await fill(baseUrl, key);
    } finally {
      service.kill('SIGTERM');
      await ended;
    }
    const fixture: Fixture = {
      version,
      baseUrl,
      key,
      encryptionKey: ENCRYPTION_KEY,
      reads,
      ...(await copied(database.url)),
    };
    const file = join(FIXTURES, `${version}.json`);
    mkdirSync(FIXTURES, { recursive: true });
    writeFileSync(file, `${JSON.stringify(fixture, null, 1)}\n`);
    return file;
  } finally {
    await database.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function copied(url: string): Promise<Layout & Pick<Fixture, 'rows' | 'migrations' | 'schema'>> {
  const snapshot = await Snapshot.open(url);
  try {
    const rows: Record<string, string[]> = {};
    await snapshot.copyAll(async ({ name }, stream) => {
      rows[name] = (await text(stream)).split('\n').slice(0, -1);
    });
    return { ...snapshot.layout, migrations: snapshot.migrations, schema: await schemaText(url), rows };
  } finally {
    await snapshot.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function ready(url: string, ended: Promise<unknown>): Promise<void> {
  const dead = ended.then(() => 'ended' as const);
  for (;;) {
    const state = await Promise.race([
      dead,
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    ]);
    if (state === 'ended') throw new Error('The service ended before it was ready.');
    if (state) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

if (process.argv[1] === import.meta.filename) {
  const [version, folder] = process.argv.slice(2);
  if (version === undefined || folder === undefined) throw new Error('usage: fixture.ts VERSION FOLDER');
  console.log(await writeFixture(version, builtIn(folder)));
}
