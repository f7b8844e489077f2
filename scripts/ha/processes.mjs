import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A child whose output goes to a file; `ended` resolves with how it went. */
export function start(command, args, { log, env, cwd, uid, gid } = {}) {
  mkdirSync(dirname(log), { recursive: true });
  const out = openSync(log, 'a');
  const child = spawn(command, args, {
    cwd,
    uid,
    gid,
    stdio: ['ignore', out, out],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
  });
  closeSync(out);
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  child.once('error', (error) => process.stderr.write(`${command}: ${error.message}\n`));
  return {
    child,
    pid: child.pid,
    log,
    ended,
    get alive() {
      return child.exitCode === null && child.signalCode === null;
    },
  };
}

/** SIGTERM, then SIGKILL after `patienceMs`. */
export async function stop(running, patienceMs = 15_000) {
  if (!running?.alive) return;
  running.child.kill('SIGTERM');
  const over = await Promise.race([running.ended.then(() => true), sleep(patienceMs, false)]);
  if (!over) {
    running.child.kill('SIGKILL');
    await running.ended;
  }
}

/** The pid and those of all its descendants, itself first. */
export function tree(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      /* gone */
    }
  }
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

export function signalAll(pids, signal) {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      /* gone */
    }
}

export async function until(what, check, timeoutMs = 60_000, everyMs = 200) {
  for (const end = Date.now() + timeoutMs; ;) {
    const value = await check().catch((error) => {
      if (error.fatal) throw error;
    });
    if (value) return value;
    if (Date.now() > end) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await sleep(everyMs);
  }
}
