import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What a terminal or a supervisor sends to this process and means for its child. */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Continues this command with the Node.js of the packages, which the service is tested with, if this is another one and
 * that one runs here. @returns true when the packaged one works in place of this process, which then does nothing more.
 */
export function becomesPackagedNode(): boolean {
  const packaged = packagedNode();
  if (packaged === undefined || packaged.version === process.versions.node) return false;
  const { status, stdout } = spawnSync(packaged.path, ['--version'], { encoding: 'utf8' });
  if (status !== 0 || stdout.trim() !== `v${packaged.version}`) return false;
  const args = [...process.execArgv, ...process.argv.slice(1)];
  // Keeps the process id and the signals of a supervisor; Node.js has it since 22.15.
  if (typeof process.execve === 'function') process.execve(packaged.path, [packaged.path, ...args]);
  runInChild(packaged.path, args);
  return true;
}

/** The Node.js that npm installs on Linux; undefined elsewhere, or without optional dependencies. */
function packagedNode(): { path: string; version: string } | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-linux-${process.arch}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    return { path: join(dirname(manifest), 'bin', 'node'), version };
  } catch {
    return undefined;
  }
}

function runInChild(path: string, args: string[]): void {
  const child = spawn(path, args, { stdio: 'inherit' });
  for (const signal of FORWARDED) process.on(signal, () => void child.kill(signal));
  child.once('exit', (status, signal) => {
    if (signal === null) process.exit(status ?? 1);
    for (const name of FORWARDED) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
