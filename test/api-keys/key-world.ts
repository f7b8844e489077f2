import { AccountService } from '../../src/accounts/account.service.js';
import { type ApiKeySettings, type NewApiKey } from '../../src/api-keys/api-key.service.js';
import { Client } from '../support/client.js';
import { type TestServer } from '../support/server.js';

/** The uuid of the account `default`. */
export function defaultAccount(server: TestServer): Promise<string> {
  return new AccountService(server.db, server.clock).findOrCreate(server.db, 'default');
}

export async function makeKey(server: TestServer, settings: Partial<ApiKeySettings> = {}): Promise<NewApiKey> {
  return server.apiKeys.create(await defaultAccount(server), { label: 'mine', scope: 'read-write', ...settings });
}

/** What a cheap request with this key is answered with. */
export async function statusWith(server: TestServer, key: string): Promise<number> {
  return (await new Client(server.baseUrl, key).rest('GET', '/workflows?per_page=1')).status;
}

/** Milliseconds until `isDone`; rejects when it takes longer than `limitMs`. */
export async function timeUntil(isDone: () => boolean | Promise<boolean>, limitMs: number): Promise<number> {
  const started = performance.now();
  while (!(await isDone())) {
    if (performance.now() - started > limitMs) throw new Error(`not done after ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - started;
}
