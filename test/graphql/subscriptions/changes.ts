import { fromPublicId, toPublicId } from '../../../src/platform/ids/ids.js';
import { ChangeRecorder } from '../../../src/features/integrations/changes/record-change.js';
import { sha256 } from '../../../src/platform/encryption/secrets.js';
import { Client } from '../../support/http/client.js';
import { type TestServer } from '../../support/server.js';

/** As many changes of a connected integration, committed together. */
export async function produce(server: TestServer, id: string, count: number): Promise<void> {
  await server.db.transaction(async (tx) => {
    for (let made = 0; made < count; made += 1) {
      await new ChangeRecorder(server.clock).record(tx, fromPublicId('int', id)!, {
        from: 'connected',
        to: 'connected',
        reason: 'reconnected',
      });
    }
  });
}

/** A number that the service counts of itself. */
export async function gauge(server: TestServer, name: string): Promise<number> {
  const { body } = await new Client(server.url).send<string>('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)![1]);
}

/** Revokes a key of this test's server, as its owner would. */
export async function revoke(server: TestServer, secret: string): Promise<void> {
  const [row] = await server.db.query<{ id: string; account_id: string }>(
    'SELECT id, account_id FROM api_keys WHERE digest = $1',
    [sha256(secret)],
  );
  await server.apiKeys.revoke(row!.account_id, toPublicId('key', row!.id));
}
