import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type LookupAddress } from 'node:dns';
import { Agent } from 'undici';
import { isPublicAddress } from '../../src/platform/http/outbound/addresses.js';
import { guardedConnector } from '../../src/platform/http/outbound/guarded-connector.js';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { serveHttp, type Loopback } from './loopback.js';

const LIMITS = { timeoutMs: 60_000, maxBytes: 1_000, trust: 'user' as const };

const NAMES: Record<string, string[]> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'mapped.test': ['::ffff:10.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'nat64.test': ['64:ff9b::a00:1'],
  'scoped.test': ['fe80::1%eth0'],
  'mixed.test': ['93.184.215.14', '10.0.0.1'],
  'mixed6.test': ['2606:4700::1111', '::1'],
  'empty.test': [],
  'public.test': ['93.184.215.14', '2606:4700::1111'],
};

async function resolve(hostname: string): Promise<LookupAddress[]> {
  const addresses = NAMES[hostname.replace(/\.$/, '')];
  if (addresses === undefined) throw Object.assign(new Error(`unknown name ${hostname}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

/** Sockets created by this process: Node publishes each before it connects. */
let sockets = 0;
const countSocket = () => {
  sockets += 1;
};

let outbound: Outbound;

beforeEach(() => {
  sockets = 0;
  subscribe('net.client.socket', countSocket);
  outbound = createOutbound({ allowPrivateNetwork: false, userAgent: 'test', resolve });
});

afterEach(async () => {
  unsubscribe('net.client.socket', countSocket);
  await outbound.close();
});

describe('a user’s address', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://127.255.255.254/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0X7F.0.0.1/',
    'http://0177.0.0.1/',
    'http://0177.0.0.01/',
    'http://017700000001/',
    'http://①②⑦.⓪.⓪.①/',
    'http://%31%32%37.0.0.1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:0a00:0001]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'http://[2002:7f00:1::]/',
    'http://[200::1]/',
    'http://[::1:7f00:1]/',
    'http://[4000::1]/',
    'http://[2002:808:808::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://0.0.0.0/',
    'http://0/',
    'http://0.1.2.3/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    'http://[100::1]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://100.127.255.255/',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'https://127.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://foo.localhost/',
    'http://foo.localhost./',
    'http://loopback.test/',
    'https://loopback.test/',
    'http://LOOPBACK.test./',
    'http://loopback6.test/',
    'http://mapped.test/',
    'http://metadata.test/',
    'http://nat64.test/',
    'http://scoped.test/',
    'http://mixed.test/',
    'http://mixed6.test/',
    'http://empty.test/',
  ])('is blocked before a socket is made: %s', async (url) => {
    await expect(outbound.request({ ...LIMITS, url })).rejects.toMatchObject({ reason: 'blocked' });
    await expect(outbound.fetch(2_000, 1_000, 'user')(url)).rejects.toMatchObject({ reason: 'blocked' });
    await expect(outbound.checkAddress(url)).rejects.toMatchObject({ reason: 'blocked' });
    expect(sockets).toBe(0);
  });

  it.each([
    'ftp://public.test/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'data:text/plain,x',
    'javascript:1',
    'http://user:secret-word@public.test/',
    'http://secret-word@public.test/',
    'http://:secret-word@public.test/',
    'http://',
    '//public.test/',
    '/secret-word',
    'http://[fe80::1%25eth0]/',
    'http://1.2.3.256/',
    'http://pub lic.test/?key=secret-word',
    'http://public.test:99999/?key=secret-word',
    '',
  ])('is refused as no usable address: %s', async (url) => {
    const refused = outbound.request({ ...LIMITS, url });
    await expect(refused).rejects.toMatchObject({ reason: 'invalid_url' });
    await expect(refused).rejects.not.toThrow('secret-word');
    await expect(outbound.request({ ...LIMITS, url, trust: 'operator' })).rejects.toMatchObject({
      reason: 'invalid_url',
    });
    await expect(outbound.fetch(2_000, 1_000, 'user')(url)).rejects.toMatchObject({ reason: 'invalid_url' });
    await expect(outbound.checkAddress(url)).rejects.toMatchObject({ reason: 'invalid_url' });
    expect(sockets).toBe(0);
  });

  it('passes the check when all addresses of its name are public', async () => {
    for (const url of ['https://public.test/x', 'http://93.184.215.14/', 'http://[2606:4700::1111]:8080/'])
      await expect(outbound.checkAddress(url)).resolves.toBeUndefined();
    expect(sockets).toBe(0);
  });

  it('fails the check as `network` when its name is unknown', async () => {
    await expect(outbound.checkAddress('http://nowhere.test/')).rejects.toMatchObject({
      reason: 'network',
      detail: 'ENOTFOUND',
    });
  });

  it('is blocked when its name is rebound after the check', async () => {
    const answers = ['93.184.215.14', '127.0.0.1'];
    const rebinding = createOutbound({
      allowPrivateNetwork: false,
      userAgent: 'test',
      resolve: async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }],
    });
    await rebinding.checkAddress('http://rebind.test/');
    await expect(rebinding.request({ ...LIMITS, url: 'http://rebind.test/' })).rejects.toMatchObject({
      reason: 'blocked',
    });
    expect(sockets).toBe(0);
    await rebinding.close();
  });
});

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '2a00:1450::1'])(
    'takes %s',
    (ip) => {
      expect(isPublicAddress(ip)).toBe(true);
    },
  );

  it.each([
    ['AWS, Azure, Google and others', '169.254.169.254'],
    ['AWS over IPv6', 'fd00:ec2::254'],
    ['AWS, of containers', '169.254.170.2'],
    ['Google over IPv6', 'fd20:ce::254'],
    ['Azure, its host', '168.63.129.16'],
    ['Azure, its host, as IPv6', '::ffff:168.63.129.16'],
    ['Azure, its host, through NAT64', '64:ff9b::168.63.129.16'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle', '192.0.0.192'],
    ['OpenStack over IPv6', 'fe80::a9fe:a9fe'],
    ['Scaleway over IPv6', 'fd00:42::42'],
    ['IBM, its infrastructure services', '161.26.0.10'],
    ['IBM, the endpoints of its services', '166.9.14.5'],
    ['IBM, the last of them', '166.11.255.255'],
  ])('refuses the inside of a cloud: %s', (_, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each(['168.63.129.15', '168.63.129.17', '161.25.255.255', '161.27.0.0', '166.7.255.255', '166.12.0.0'])(
    'takes %s, which is next to that',
    (ip) => {
      expect(isPublicAddress(ip)).toBe(true);
    },
  );

  it.each(['', 'public.test', '::ffff:10.0.0.1', '1.2.3', '1.2.3.4.5', '1.2.3.4/24', '8.8.8.8 '])(
    'refuses %j',
    (ip) => {
      expect(isPublicAddress(ip)).toBe(false);
    },
  );
});

describe('with a server on loopback', () => {
  let server: Loopback;

  beforeAll(async () => {
    server = await serveHttp((request, response) => response.end(`${request.headers.host} ${request.url}`));
  });

  afterAll(() => server.close());

  it('reaches it for a user when private networks are allowed', async () => {
    const allowing = createOutbound({ allowPrivateNetwork: true, userAgent: 'test', resolve });
    for (const host of ['127.0.0.1', 'loopback.test']) {
      const answer = await allowing.request({ ...LIMITS, url: `http://${host}:${server.port}/a?b=c#d` });
      expect(answer.text()).toBe(`${host}:${server.port} /a?b=c`);
    }
    await allowing.close();
  });

  it('reaches it for the operator in any case', async () => {
    const answer = await outbound.request({
      ...LIMITS,
      trust: 'operator',
      url: `http://loopback.test:${server.port}/`,
    });
    expect(answer.status).toBe(200);
  });

  it('does not lend the operator’s open connection to a user', async () => {
    const url = `${server.url}/`;
    await outbound.request({ ...LIMITS, trust: 'operator', url });
    const before = sockets;
    await expect(outbound.request({ ...LIMITS, url })).rejects.toMatchObject({ reason: 'blocked' });
    expect(sockets).toBe(before);
  });

  it('connects to the checked address, and looks it up once', async () => {
    // 127.0.0.2 has no listener on this port: a second question would fail the call.
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2'];
    let asked = 0;
    const agent = new Agent({
      connect: guardedConnector(async () => {
        asked += 1;
        return [{ address: answers.shift() ?? '127.0.0.2', family: 4 }];
      }, 'user'),
    });
    const { statusCode, body } = await agent.request({
      origin: `http://rebind.test:${server.port}`,
      path: '/',
      method: 'GET',
    });
    await body.dump();
    expect([statusCode, asked]).toEqual([200, 1]);
    await agent.close();
  });
});
