import { AccountService } from '../../src/features/accounts/account.service.js';
import { type ApiKeySettings, type NewApiKey } from '../../src/features/api-keys/api-key.service.js';
import { Client } from '../support/http/client.js';
import { type TestServer } from '../support/server.js';

/** The uuid of the account `default`. */
export function defaultAccount(server: TestServer): Promise<string> {
  return new AccountService(server.db, server.clock).findOrCreate(server.db, 'default');
}

export async function makeKey(server: TestServer, settings: Partial<ApiKeySettings> = {}): Promise<NewApiKey> {
  return server.apiKeys.create(await defaultAccount(server), { label: 'mine', scope: 'read-write', ...settings });
}

/** The status of a cheap request with this key. */
export async function statusWith(server: TestServer, key: string): Promise<number> {
  return (await new Client(server.baseUrl, key).rest('GET', '/workflows?per_page=1')).status;
}

/** A key that has expired. */
export async function makeExpiredKey(server: TestServer): Promise<NewApiKey> {
  const made = await makeKey(server);
  await server.db.query(`UPDATE api_keys SET expires_at = created_at WHERE id = $1`, [made.apiKey.uuid]);
  return made;
}
