import { setTimeout as sleep } from 'node:timers/promises';
import { allowBackups } from './allow-backups.js';
import { type DataDir } from './data-dir.js';
import { ServerShare, sharePipe } from './server-share.js';
import { forgetStale, interrupt, isPostmaster, readPostmaster, type Postmaster } from './postmaster.js';
import { StartError, startServer, type RunningServer } from './start-server.js';

const PATIENCE = 30_000;
const ORPHAN_AFTER = 1_000;

/**
 * Joins the running server of this folder, or starts one after an old one has ended. With `port` the server must listen
 * there. The caller holds the start lock, so that two servers never start at once. @throws StartError, or Error when an
 * old server does not end within 30 s.
 */
export async function joinOrStart(native: string, data: DataDir, port?: number): Promise<RunningServer> {
  const began = Date.now();
  for (let isInterrupted = false; ; await sleep(20)) {
    const running = readPostmaster(data.pgData);
    const waited = Date.now() - began;
    if (running && (await isPostmaster(running.pid, data.pgData))) {
      const share = port === undefined || port === running.port ? await join(running, data.pgData) : undefined;
      if (share) return { pid: running.pid, port: running.port, share, isNew: false };
      // An orphan: its watchdog is gone, or it waits for clients that do not leave.
      if (waited > ORPHAN_AFTER && !isInterrupted) isInterrupted = interrupt(running.pid);
    } else if (!ServerShare.isWatched(sharePipe(data.pgData))) {
      if (running) forgetStale(running.pid, data.pgData);
      const server = await start(native, data, port ?? running?.port, waited);
      if (server) return server;
    }
    if (waited > PATIENCE)
      throw new Error(`An earlier PostgreSQL on ${data.dir}, maybe in another container, does not end: stop it first.`);
  }
}

/** Undefined when the failure is temporary and another try may succeed. */
async function start(
  native: string,
  data: DataDir,
  port: number | undefined,
  waited: number,
): Promise<RunningServer | undefined> {
  try {
    const refusal = await allowBackups(native, data);
    if (refusal !== undefined) throw new StartError(data.dir, refusal);
    // A port that was free before may be taken now; a required port must become free.
    return await startServer(native, data, port);
  } catch (error) {
    if (error instanceof StartError && error.isPassing && waited < PATIENCE) return undefined;
    throw error;
  }
}

async function join(running: Postmaster, pgData: string): Promise<ServerShare | undefined> {
  if (running.status === 'stopping') return undefined;
  const share = ServerShare.join(sharePipe(pgData));
  while (share?.isAlive()) {
    const { pid, status } = readPostmaster(pgData) ?? {};
    if (pid !== running.pid || status === 'stopping') break;
    if (status === 'ready') return share;
    await sleep(20);
  }
  share?.release();
  return undefined;
}
