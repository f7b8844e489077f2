import express from 'express';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { createOutbound } from '../../src/platform/http/outbound/outbound.js';
import { sandboxRouter } from '../../src/features/sandbox/sandbox.router.js';
import { createTestDatabase } from '../support/database/database.js';

/** Two services over one new database, as behind a load balancer; `baseUrl` leads to the first. */
export interface RunningSandbox {
  baseUrl: string;
  /** Where the second service listens. */
  otherUrl: string;
  /** Advances the clock of both, in seconds. */
  pass(seconds: number): void;
  query: (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function runSandbox(): Promise<RunningSandbox> {
  const { url, drop } = await createTestDatabase();
  const source = await createDataSource({ url, poolSize: 8 }, []).initialize();
  const database = new Database(source);
  const query = (text: string, values: readonly unknown[] = []) => database.query(text, values);

  let offset = 0;
  const clock = { now: () => new Date(Date.now() + offset) };
  const outbound = createOutbound({ allowPrivateNetwork: false, userAgent: 'test' });
  const [first, second] = [await listen(), await listen()];
  for (const { app } of [first, second])
    app.use('/sandbox', sandboxRouter({ baseUrl: first.url, clock, query, outbound }));
  return {
    baseUrl: first.url,
    otherUrl: second.url,
    pass: (seconds) => void (offset += seconds * 1000),
    query,
    close: async () => {
      for (const { server } of [first, second]) await new Promise((resolve) => server.close(resolve));
      await outbound.close();
      await source.destroy();
      await drop();
    },
  };
}

async function listen(): Promise<{ app: express.Express; server: Server; url: string }> {
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { app, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
