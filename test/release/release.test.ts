import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Fixture } from '../../scripts/release/fixture.js';
import { migrations } from '../../src/platform/db/migrations/index.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { scratchFolder } from '../support/scratch.js';

const inProcess = promisify(execFile);

describe('npm run release', () => {
  const folder = join(scratchFolder(), 'checkout');
  const run = async (command: string, ...args: string[]) => {
    const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
    const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
    const env = { ...process.env, ...identity, ...committer };
    return (await inProcess(command, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  };
  const register = ['--import', '@swc-node/register/esm-register'];
  const release = (...args: string[]) => run(process.execPath, ...register, 'scripts/release.ts', ...args);
  const version = () => (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

  beforeAll(async () => {
    await inProcess('git', ['clone', '--quiet', '--depth', '1', `file://${packageRoot}`, folder]);
    // A link is no folder, so `node_modules/` of .gitignore does not cover it.
    appendFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
    symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'));
  });

  it.each([
    [['0.1.0'], 'must be above'],
    [['0.2'], 'must be above'],
    [[], 'usage:'],
  ])('refuses %j', async (args, message) => {
    await expect(release(...args, '--skip-checks')).rejects.toThrow(message);
    expect(await run('git', 'status', '--porcelain')).toBe('');
  });

  it('refuses a checkout with changes', async () => {
    appendFileSync(join(folder, 'README.md'), 'Changed.\n');
    await expect(release('0.2.0', '--skip-checks')).rejects.toThrow('uncommitted');
    await run('git', 'checkout', '--quiet', 'README.md');
  });

  it('sets the version, moves the changelog, keeps the API and a filled database, and tags the commit', async () => {
    await release('0.2.0', '--skip-checks');
    expect(version()).toBe('0.2.0');
    expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
      /^## Unreleased\n\n## 0\.2\.0 – \d{4}-\d\d-\d\d$/m,
    );
    for (const file of ['schema.graphql', 'openapi.json']) {
      const [kept, emitted] = [`schema/released/${file}`, `schema/${file}`].map((path) =>
        readFileSync(join(folder, path), 'utf8'),
      );
      expect(kept).toBe(emitted);
    }
    const fixture = JSON.parse(readFileSync(join(folder, 'test/release/fixtures/0.2.0.json'), 'utf8')) as Fixture;
    expect([fixture.version, fixture.migrations.at(-1)]).toEqual(['0.2.0', migrations.at(-1)!.name]);
    const sbom = readFileSync(join(folder, 'dist/workflow-gateway-0.2.0.cdx.json'), 'utf8');
    const { components } = JSON.parse(sbom) as { components: { name: string }[] };
    const names = components.map(({ name }) => name);
    // Installed; installed, and needed by development packages, too; bundled, with what it needs; bundled into pages.
    const shipped = ['typeorm', 'graphql', 'better-auth', 'jose', 'react'];
    expect(names).toEqual(expect.arrayContaining(shipped));
    expect(names).not.toContain('jest');
    expect(await run('git', 'status', '--porcelain')).toBe('');
    expect((await run('git', 'describe', '--exact-match')).trim()).toBe('v0.2.0');
    // A second release needs a change.
    await expect(release('0.3.0', '--skip-checks')).rejects.toThrow('names no change');
    expect(existsSync(join(folder, 'schema/released'))).toBe(true);
  });
});
