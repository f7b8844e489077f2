// `npm run release -- 0.2.0`: checks everything, sets the version, moves the changelog, keeps the API of the release for the
// comparison with the next one and a database that the next ones must migrate, writes the SBOM, commits and tags. It pushes and
// publishes nothing.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { released } from './release/changelog.js';
import { PRESENT, writeFixture } from './release/fixture.js';

const { values, positionals } = parseArgs({ options: { 'skip-checks': { type: 'boolean' } }, allowPositionals: true });
try {
  await release(positionals);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function release([version, ...more]: string[]): Promise<void> {
  if (version === undefined || more.length > 0) throw new Error('usage: npm run release -- VERSION [--skip-checks]');
  const current = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
  if (!/^\d+\.\d+\.\d+$/.test(version) || !isAbove(version, current)) {
    throw new Error(`The version must be above ${current}, like 1.2.3, not "${version}".`);
  }
  if (output('git', 'status', '--porcelain') !== '') throw new Error('There are uncommitted changes.');
  if (output('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists already.`);
  const changelog = released(readFileSync('CHANGELOG.md', 'utf8'), version, new Date().toISOString().slice(0, 10));
  if (values['skip-checks'] !== true) run('bash', '.ci/run');

  run('npm', 'version', version, '--no-git-tag-version');
  writeFileSync('CHANGELOG.md', changelog);
  run('npm', 'run', '--silent', 'emit');
  mkdirSync('schema/released', { recursive: true });
  for (const file of ['schema.graphql', 'openapi.json']) cpSync(`schema/${file}`, `schema/released/${file}`);
  await writeFixture(version, PRESENT);
  mkdirSync('dist', { recursive: true });
  const sbom = `dist/workflow-gateway-${version}.cdx.json`;
  writeFileSync(sbom, output(process.execPath, 'scripts/sbom.mjs'));
  run('git', 'add', '--all');
  run('git', 'commit', '--quiet', '--message', `chore: release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', version);
  console.log(`Released ${version}. Next: git push --follow-tags, npm pack; the SBOM is ${sbom}.`);
}

function isAbove(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((part, place) => part !== b[place]);
  return at !== -1 && a[at]! > b[at]!;
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

function output(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
