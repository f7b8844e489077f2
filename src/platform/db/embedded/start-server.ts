import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, readFileSync, statfsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataDir } from './data-dir.js';
import { ServerShare, sharePipe, WATCHDOG } from './server-share.js';
import { isPostmaster, readPostmaster } from './postmaster.js';
import { complaint, PLAIN_SPAWN, run } from './run.js';

/**
 * A server that accepts connections on 127.0.0.1, and this process's share in it; `isNew` when this process started it.
 */
export interface RunningServer {
  pid: number;
  port: number;
  share: ServerShare;
  isNew: boolean;
}

/**
 * A failed start; `isPassing` when the port was taken or an old server is still ending, so that another try may
 * succeed.
 */
export class StartError extends Error {
  readonly isPassing: boolean;

  constructor(dir: string, reason: string) {
    const remedy = /No space left|quota/i.test(reason) ? 'Make room on that disk' : 'Correct that and start again';
    super(`PostgreSQL could not start on ${dir} (${reason}). ${remedy}, or set DATABASE_URL.`);
    this.isPassing = /Address already in use|could not create any TCP|shared memory block|lock file/.test(reason);
  }
}

/** The maximum of connections where the service needs no more. */
const LEAST_CONNECTIONS = 200;

/**
 * Starts PostgreSQL and its watchdog in a session of their own, so that Ctrl-C reaches only this process. Waits until
 * the server accepts connections, however long its crash recovery takes. @throws StartError
 */
export async function startServer(native: string, data: DataDir, wantedPort?: number): Promise<RunningServer> {
  const { dir, pgData, user, connections = LEAST_CONNECTIONS } = data;
  const fifo = sharePipe(pgData);
  const made = await run('/bin/sh', ['-c', 'rm -f "$0" "$0.closed" && mkfifo -m 600 "$0"', fifo], user);
  if (made.status !== 0) throw new StartError(dir, complaint(made.stderr));
  const port = wantedPort ?? (await freePort());
  const log = join(pgData, 'gateway.log');
  const { share, readingEnd } = ServerShare.first(fifo);
  const command = ['-c', WATCHDOG, 'workflow-gateway-watchdog', fifo, log, join(native, 'bin', 'postgres')];
  const watchdog = spawn(
    '/bin/sh',
    [...command, '-D', pgData, ...settings(port, Math.max(connections, LEAST_CONNECTIONS))],
    {
      ...PLAIN_SPAWN,
      ...user.switchTo,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', readingEnd],
    },
  );
  closeSync(readingEnd);
  watchdog.unref();
  const pid = await ready(watchdog, pgData, port);
  if (pid !== undefined) return { pid, port, share, isNew: true };
  share.release();
  throw new StartError(dir, whyNot(log, pgData));
}

/** On the command line, so that no edit of postgresql.conf can disable durability or open other sockets. */
function settings(port: number, connections: number): string[] {
  const values = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    max_connections: String(connections),
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Texts of errors and statements contain values of rows.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The postmaster's process id once it is ready; undefined when the watchdog ended first. */
async function ready(watchdog: ChildProcess, pgData: string, port: number): Promise<number | undefined> {
  const ended = once(watchdog, 'exit').then(
    () => true,
    () => true,
  );
  for (;;) {
    const running = readPostmaster(pgData);
    const isReady = running?.status === 'ready' && running.port === port;
    // The file may still belong to an old server.
    if (isReady && (await isPostmaster(running.pid, pgData))) return running.pid;
    if (await Promise.race([ended, sleep(10, false)])) return undefined;
  }
}

/** On a full disk the log stays empty. */
function whyNot(log: string, pgData: string): string {
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  const { bavail, bsize } = statfsSync(pgData);
  return text === '' && bavail * bsize < 1_000_000 ? 'No space left on device' : complaint(text);
}
