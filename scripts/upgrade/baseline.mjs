import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../ha/processes.mjs';

const root = join(import.meta.dirname, '../..');
/** The version to upgrade from: the tag of the last release; before the first one, the commit that brought this test. */
export function versionBefore() {
  const lines = (...args) =>
    git(...args)
      .split('\n')
      .filter(Boolean);
  const [release] = lines('tag', '--list', 'v*', '--sort=-version:refname');
  return release ?? lines('log', '--diff-filter=A', '--format=%h', '--', 'scripts/upgrade.mjs').at(-1);
}

/** Builds a version from its commit in a temporary folder, once: a finished one is kept for the next test. @returns the folder. */
export async function build(version, say) {
  const commit = commitOf(version);
  const folder = join(tmpdir(), `workflow-gateway-${commit.slice(0, 12)}`);
  if (existsSync(join(folder, '.built'))) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const tar = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 });
    execFileSync('tar', ['-x', '-C', unfinished], { input: tar });
    for (const args of [['ci'], ['run', 'build']]) {
      say(`npm ${args.join(' ')} of ${version}`);
      const { ended } = start('npm', args, { cwd: unfinished, log: join(unfinished, 'build.log'), env: process.env });
      const status = await ended;
      if (status !== 0) throw new Error(`npm ${args.join(' ')} of ${version} ended with ${status}.`);
    }
    writeFileSync(join(unfinished, '.built'), '');
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

function commitOf(version) {
  try {
    return git('rev-parse', '--verify', '--quiet', `${version}^{commit}`).trim();
  } catch {
    throw new Error(`${version} is not in this clone: git fetch --unshallow --tags brings it.`);
  }
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}
