import {
  CALLBACK_PATIENCE_MS,
  CALLBACKS_AT_ONCE,
  CallbackTurns,
  STORED_WITHIN_MS,
} from '../../../../src/features/integrations/connect/callback/callback-turns.js';
import { EXCHANGE_MS } from '../../../../src/features/integrations/connect/callback/oauth-callback.js';
import { ABANDONED_MS } from '../../../../src/features/integrations/integration.job.js';
import { type Database } from '../../../../src/platform/db/database.js';
import { PATIENCE_MS } from '../../../../src/platform/db/connections/limits.js';
import { isDatabaseAway } from '../../../../src/platform/errors.js';

const never = () => new Promise<never>(() => undefined);

describe('the turns of OAuth callbacks', () => {
  const turns = new CallbackTurns({} as Database);

  it('are over before the job ends their flows: the last attempt has locked the integration by then', () => {
    expect(STORED_WITHIN_MS).toBeGreaterThanOrEqual(EXCHANGE_MS + CALLBACK_PATIENCE_MS);
    // An attempt waits for a connection, for the start of its transaction and for the row of the integration.
    expect(ABANDONED_MS - STORED_WITHIN_MS).toBeGreaterThanOrEqual(3 * PATIENCE_MS);
  });

  it('store nothing after their time', async () => {
    let began = 0;
    const late = turns.end('a', performance.now() - 1, () => Promise.resolve((began += 1)));
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(began).toBe(0);
  });

  it('refuse a callback that waits behind others until its time is over', async () => {
    for (let i = 0; i < CALLBACKS_AT_ONCE; i += 1) void turns.end('b', Infinity, never);
    const error: unknown = await turns.end('b', performance.now() + 20, never).catch((reason: unknown) => reason);
    expect(isDatabaseAway(error)).toBe(true);
    expect(await turns.end('c', Infinity, () => Promise.resolve('stored'))).toBe('stored');
  });
});
