import { setTimeout as sleep } from 'node:timers/promises';
import { fromPublicId, toPublicId } from '../../src/platform/ids/ids.js';
import { ChangeRecorder } from '../../src/features/integrations/changes/record-change.js';
import { sha256 } from '../../src/platform/encryption/secrets.js';
import { RawWebSocket } from '../graphql/subscriptions/raw-websocket.js';
import { overSse, overWebSocket } from '../integrations/changes/listeners.js';
import { Client } from '../support/http/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';
import { ROUNDS } from './support/rounds.js';

const LISTEN = 'workflow-gateway listen';
/** After this time no process accepts a revoked key, even one without notifications; in milliseconds. */
const REFUSED_MS = 1_000;

describe('a process whose LISTEN connection fails', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let other: TestServer;
  let deaf: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
    other = await startTestServer({ database, env: { ROLES: 'api' } });
    deaf = await startTestServer({ database: { ...database, url: proxy.url }, clock: other.clock });
  });
  afterAll(async () => {
    await deaf.close();
    await other.close();
    await proxy.close();
    await database.drop();
  });

  const FAULTS: [string, () => Promise<unknown>][] = [
    [
      'that is killed',
      () =>
        other.db.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
          [LISTEN],
        ),
    ],
    ['that is silently cut', async () => proxy.swallowOnly(LISTEN)],
  ];

  it.each(FAULTS)(
    'that is %s still receives every change, refuses a revoked key within a second and closes its sockets',
    async (_, strike) => {
      for (let round = 0; round < Math.ceil(ROUNDS / 2); round += 1) {
        const [key, revokedKey] = [await other.key(), await other.key()];
        const { body } = await new Client(other.baseUrl, key).rest('POST', '/integrations/connect', {
          body: { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } },
        });
        const listeners = [overWebSocket, overSse].map((listen) => listen(deaf, key, { id: body.id }));
        await until(() => listeners.every(({ heard }) => heard.length === 1));
        const socket = await RawWebSocket.open(deaf.ws(), revokedKey);
        const stream = overSse(deaf, revokedKey, { id: body.id });
        await until(() => stream.heard.length === 1);

        await strike();
        await change(body.id, 3);
        await revoke(revokedKey);
        await sleep(REFUSED_MS);
        expect((await new Client(deaf.baseUrl, revokedKey).rest('GET', '/workflows')).status).toBe(401);
        await Promise.all([
          until(() => listeners.every(({ heard }) => heard.length === 4)),
          expect(socket.closed).resolves.toMatchObject({ code: 4403 }),
          expect(stream.ended).resolves.toBe('cut'),
        ]);
        for (const listener of listeners) {
          expect(listener.heard.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
          listener.close();
        }
        // All changes may have come from the poll of the tables every ten seconds, before the loss was noticed.
        await until(() => deaf.logs.some((line) => line.includes('events: connection lost')));
        await until(() => deaf.logs.some((line) => line.includes('events: connection is back')));
        deaf.logs.length = 0;
      }
    },
  );

  /** Records changes of an integration in the other process. */
  async function change(id: string, count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      await other.db.transaction((tx) =>
        new ChangeRecorder(other.clock).record(tx, fromPublicId('int', id)!, {
          from: 'connected',
          to: 'connected',
          reason: 'reconnected',
        }),
      );
    }
  }

  async function revoke(secret: string): Promise<void> {
    const [row] = await other.db.query<{ id: string; account_id: string }>(
      'SELECT id, account_id FROM api_keys WHERE digest = $1',
      [sha256(secret)],
    );
    await other.apiKeys.revoke(row!.account_id, toPublicId('key', row!.id));
  }
});
