import { execFileSync, spawnSync } from 'node:child_process';

/** Installs the Debian package of each command that the machine lacks. @throws Error without root. */
export function need(packageOf) {
  const missing = Object.entries(packageOf).filter(([command]) => spawnSync('which', [command]).status !== 0);
  if (process.getuid() !== 0) throw new Error('needs root.');
  if (missing.length === 0) return;
  run('apt-get', ['update', '--quiet']);
  run('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', ...missing.map(([, name]) => name)]);
}

/** Runs a command to its end. @returns its output. @throws Error with the end of what it printed. */
export function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, stdio: 'pipe', ...options });
  } catch (error) {
    const printed = `${error.stdout ?? ''}${error.stderr ?? ''}`.trim().split('\n').slice(-15).join('\n');
    throw new Error(`${command} ${args.join(' ')} failed (${error.status ?? error.signal}):\n${printed}`, {
      cause: error,
    });
  }
}
