import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/platform/clock.js';
import { PostgresSandboxStore } from '../../src/features/sandbox/sandbox.store.js';
import { runSandbox, type RunningSandbox } from './running-sandbox.js';

let sandbox: RunningSandbox;
let store: PostgresSandboxStore;
beforeAll(async () => {
  sandbox = await runSandbox();
  store = new PostgresSandboxStore(sandbox.query, systemClock);
});
afterAll(() => sandbox.close());

const payload = { accountId: 'ada', scopes: ['contacts.read'], lifetime: 3600, refreshable: true };
const later = () => new Date(Date.now() + 3600_000);

describe('the store of grants', () => {
  it('returns a grant unchanged, for its own kind only', async () => {
    const held = { family: randomUUID(), payload };
    await store.put('access', 'token-1', held, later());
    expect(await store.get('access', 'token-1')).toEqual(held);
    expect(await store.get('refresh', 'token-1')).toBeUndefined();
    expect(await store.take('refresh', 'token-1')).toBeUndefined();
    expect(await store.get('access', 'token-1')).toEqual(held);
  });

  it('treats a token as ended that is stored after its family has ended', async () => {
    const family = randomUUID();
    await store.put('refresh', 'token-2', { family, payload }, later());
    const [first, again] = [await store.take('refresh', 'token-2'), await store.take('refresh', 'token-2')];
    expect([first?.family, again]).toEqual([family, undefined]);
    // The first taker was slower and issues its token now.
    await store.put('refresh', 'token-3', { family, payload }, later());
    expect(await store.get('refresh', 'token-3')).toBeUndefined();
    expect(await store.take('refresh', 'token-3')).toBeUndefined();
  });
});
