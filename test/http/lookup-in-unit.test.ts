import { type LookupAddress } from 'node:dns';
import { afterAll, describe, expect, it } from '@jest/globals';
import { runInTransaction, runMarked } from '../../src/platform/db/transaction-context.js';
import { MAX_LOOKUP_MS } from '../../src/platform/http/outbound/call-limits.js';
import { createOutbound } from '../../src/platform/http/outbound/outbound.js';

const outbound = createOutbound({
  allowPrivateNetwork: false,
  userAgent: 'test',
  resolve: (name) =>
    name === 'hanging.test'
      ? new Promise<LookupAddress[]>(() => undefined)
      : Promise.resolve([{ address: '1.1.1.1', family: 4 }]),
});
afterAll(() => outbound.close());

describe('the lookup of a name in a unit of work', () => {
  it('takes a second of an open transaction at most, for all names together', async () => {
    const began = performance.now();
    await runMarked({ open: true, isUnit: true }, async () => {
      await outbound.checkAddress('http://quick.test/');
      for (let time = 0; time < 3; time += 1)
        await expect(outbound.checkAddress('http://hanging.test/')).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('first of its document'),
        });
      await outbound.checkAddress('http://1.1.1.1/');
      await expect(outbound.checkAddress('http://127.0.0.1/')).rejects.toMatchObject({ reason: 'blocked' });
    });
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(MAX_LOOKUP_MS - 50);
    expect(took).toBeLessThan(2 * MAX_LOOKUP_MS);
  });

  it('takes its usual time before the transaction begins', async () => {
    const late = runMarked({ open: false, isUnit: true }, () => outbound.checkAddress('http://hanging.test/'));
    await expect(late).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('is a programming error in the transaction of one operation', async () => {
    await expect(runInTransaction(() => outbound.checkAddress('http://quick.test/'))).rejects.toThrow(
      'transaction is open',
    );
  });
});
