import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type LookupAddress } from 'node:dns';
import { isLoopback } from '../../src/platform/http/outbound/addresses.js';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { serveHttp, type Loopback } from './loopback.js';

const LIMITS = { timeoutMs: 60_000, maxBytes: 1_000, trust: 'user' as const };
const HINT = /is in a private or reserved network\. ALLOW_PRIVATE_NETWORK=true allows that\.$/;

const NAMES: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'foo.localhost': ['127.0.0.1'],
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'both.test': ['93.184.215.14', '127.0.0.1'],
  'private.test': ['10.0.0.1'],
  'mapped-private.test': ['::ffff:10.0.0.1'],
  'mixed.test': ['127.0.0.1', '10.0.0.1'],
  'any.test': ['0.0.0.0'],
  'any6.test': ['::'],
  'compatible.test': ['::127.0.0.1'],
  'nat64.test': ['64:ff9b::127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'empty.test': [],
};

async function resolve(hostname: string): Promise<LookupAddress[]> {
  const addresses = NAMES[hostname.toLowerCase().replace(/\.$/, '')] ?? [];
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

describe('where loopback is allowed', () => {
  let outbound: Outbound;
  let server: Loopback;

  beforeAll(async () => {
    server = await serveHttp((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: 'http://10.0.0.1/' });
      response.end('here');
    });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    outbound = createOutbound({ allowPrivateNetwork: false, allowLoopback: true, userAgent: 'test', resolve });
  });
  afterEach(() => outbound.close());

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '[::ffff:127.0.0.1]',
    'localhost',
    'LOCALHOST.',
    'foo.localhost',
    'loopback.test',
    'mapped.test',
  ])('a user’s URL reaches %s', async (host) => {
    const url = `http://${host}:${server.port}/`;
    await expect(outbound.checkAddress(url)).resolves.toBeUndefined();
    expect((await outbound.request({ ...LIMITS, url })).text()).toBe('here');
  });

  it.each(['http://[::1]/', 'http://loopback6.test/', 'http://127.255.255.254/', 'http://both.test/'])(
    'a user’s URL may be %s',
    async (url) => {
      await expect(outbound.checkAddress(url)).resolves.toBeUndefined();
    },
  );

  it.each([
    ...['http://10.0.0.1/', 'http://192.168.1.1/', 'http://169.254.169.254/', 'http://0.0.0.0/', 'http://0/'],
    ...['http://[::]/', 'http://[::127.0.0.1]/', 'http://[64:ff9b::127.0.0.1]/', 'http://[2002:7f00:1::]/'],
    ...['http://[::ffff:0:127.0.0.1]/', 'http://[::ffff:10.0.0.1]/', 'http://[fe80::1]/', 'http://[fc00::1]/'],
    ...['private', 'mapped-private', 'mixed', 'any', 'any6'].map((name) => `http://${name}.test/`),
    ...['compatible', 'nat64', 'metadata', 'empty'].map((name) => `http://${name}.test/`),
  ])('a user’s URL still does not reach %s', async (url) => {
    const blocked = { reason: 'blocked', message: expect.stringMatching(HINT) };
    await expect(outbound.checkAddress(url)).rejects.toMatchObject(blocked);
    await expect(outbound.request({ ...LIMITS, url })).rejects.toMatchObject(blocked);
  });

  it('a name that is rebound to a private address is blocked', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    const rebinding = createOutbound({
      allowPrivateNetwork: false,
      allowLoopback: true,
      userAgent: 'test',
      resolve: async () => [{ address: answers.shift()!, family: 4 }],
    });
    await rebinding.checkAddress('http://rebind.test/');
    const call = rebinding.request({ ...LIMITS, url: 'http://rebind.test/' });
    await expect(call).rejects.toMatchObject({ reason: 'blocked' });
    await rebinding.close();
  });

  it('a redirect is returned and not followed', async () => {
    const answer = await outbound.request({ ...LIMITS, url: `${server.url}/moved` });
    expect(answer.status).toBe(302);
  });
});

describe('isLoopback', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    'localhost',
    'localhost.',
    'a.localhost',
  ])('takes %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    ...['', '0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '::2', '::127.0.0.1', '64:ff9b::127.0.0.1', '127.1'],
    ...['localhost.example', 'notlocalhost', 'localhost..', '127.0.0.1.example'],
  ])('refuses %j', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
