import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { errorFields, createLogger, type Logger } from '../../platform/logging/logger.js';
import { atomicStdout } from '../../platform/logging/log-buffer.js';
import { packageRoot } from '../../platform/package-root.js';
import { Channel } from '../../platform/processes/channel.js';
import { Siblings } from '../../platform/processes/siblings.js';
import { failStart } from '../fail-start.js';
import { type Server } from '../server.js';
import { type Begin, TOPICS } from './begin.js';

/**
 * The entry of each process that serves when PROCESSES is more than 1. It ends when the primary process does: Node ends a
 * process of a cluster whose channel is closed.
 */
const channel = new Channel(process);
const starting = new AbortController();
let stop = (): void => process.exit(0);

// A terminal sends its signals to all processes: the primary one alone decides, and drains the others.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
channel.on(TOPICS.stop, () => stop());
channel.on(TOPICS.ping, () => undefined);
const begin = new Promise<Begin>((resolve) => channel.on(TOPICS.begin, resolve));
enableCompileCache(join(packageRoot, 'dist/.compile-cache'));
try {
  // Loaded before the primary says `begin`: the first process may be migrating the database.
  const { createServer } = await import('../server.js');
  const { loaded, database, isFirst } = await begin;
  stop = () => starting.abort(new Error('stopped before it had started'));
  process.title = 'workflow-gateway';
  const logger = createLogger(loaded.config.logLevel, atomicStdout(), { pid: process.pid });
  const server = await createServer(loaded, await appsOf(loaded.secrets.appsFile), {
    logger,
    database: { ...database, stop: async () => undefined },
    signal: starting.signal,
    siblings: new Siblings(channel, isFirst),
  });
  stop = () => void close(server, logger);
  if (starting.signal.aborted) stop();
  channel.on(TOPICS.welcome, async () => {
    const { printSetUpLink } = await import('../welcome.js');
    await printSetUpLink(server, loaded.config);
  });
  void channel.tell(TOPICS.ready);
  flushCompileCache();
} catch (error) {
  failStart(error);
}

async function appsOf(appsFile: string | undefined) {
  if (appsFile === undefined) return [];
  const { builtInTypes } = await import('../../features/integrations/apps/index.js');
  const { parseAppsFile } = await import('../../features/integrations/apps/apps-file.js');
  return parseAppsFile(appsFile, builtInTypes).apps;
}

async function close(server: Server, logger: Logger): Promise<void> {
  let status = 0;
  await server.close().catch((error: unknown) => {
    logger.error(errorFields(error), 'stopping failed');
    status = 1;
  });
  process.exit(status);
}
