import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { type NameScope, DnsResolver, type DnsResolverOptions } from '../../src/platform/http/outbound/dns-resolver.js';
import { workFor } from '../../src/platform/admission/work.js';
import { until } from '../support/until.js';
import { type Loopback, serveHttp } from './loopback.js';
import { NameServer } from './name-server.js';

const SCOPES: NameScope[] = ['public', 'local', 'system'];
const v4 = (address: string) => ({ address, family: 4 });
const v6 = (address: string) => ({ address, family: 6 });

let names: NameServer;
let directory: string;
let resolvers: DnsResolver[];

beforeEach(async () => {
  names = await NameServer.start({
    'web.test': ['192.0.2.1', '2001:db8::1'],
    'intern.corp.test': ['10.0.0.1'],
    'web.test.corp.test': ['10.0.0.2'],
    'half.test': { A: ['192.0.2.2'], AAAA: 'hang' },
    'many.test': Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`),
    'bare.test': [],
  });
  directory = await mkdtemp(join(tmpdir(), 'names-'));
  resolvers = [];
  await write('hosts', '');
  await write('resolv.conf', 'search corp.test\n');
});

afterEach(async () => {
  for (const resolver of resolvers) resolver.close();
  await names.close();
  await rm(directory, { recursive: true });
});

const write = (file: string, text: string) => writeFile(join(directory, file), text);

function resolverOf(more: DnsResolverOptions = {}): DnsResolver {
  const files = { hostsFile: join(directory, 'hosts'), resolvConf: join(directory, 'resolv.conf') };
  const resolver = new DnsResolver({ servers: [names.address], ...files, ...more });
  resolvers.push(resolver);
  return resolver;
}

describe('a name', () => {
  it.each(SCOPES)('has the addresses that DNS gives, IPv4 first (%s)', async (scope) => {
    await expect(resolverOf().resolve('WEB.test', scope)).resolves.toEqual([v4('192.0.2.1'), v6('2001:db8::1')]);
  });

  it('prefers the addresses in the current hosts file to those of DNS', async () => {
    const { resolve } = resolverOf();
    await write('hosts', '# web.test\n10.1.1.1 Web.test other # comment\n::1\tother\nnonsense web.test\n');
    for (const scope of SCOPES) await expect(resolve('web.test', scope)).resolves.toEqual([v4('10.1.1.1')]);
    await expect(resolve('other.', 'public')).resolves.toEqual([v4('10.1.1.1'), v6('::1')]);
    expect(names.asked).toEqual([]);
    await write('hosts', '10.1.1.123 web.test\n');
    await expect(resolve('web.test', 'public')).resolves.toEqual([v4('10.1.1.123')]);
  });

  it('below localhost is this machine, whatever DNS says', async () => {
    const { resolve } = resolverOf();
    for (const name of ['localhost', 'a.localhost', 'localhost.'])
      await expect(resolve(name, 'local')).resolves.toEqual([v4('127.0.0.1'), v6('::1')]);
    expect(names.asked).toEqual([]);
  });

  it('is looked up in the search domains for the operator, and for users with access to private networks', async () => {
    const { resolve } = resolverOf();
    for (const scope of ['local', 'system'] as const)
      await expect(resolve('intern', scope)).resolves.toEqual([v4('10.0.0.1')]);
    await expect(resolve('intern', 'public')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('intern.', 'local')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('is looked up in the search domains first when it has fewer dots than ndots', async () => {
    await write('resolv.conf', 'domain other.test\nsearch none.test corp.test\noptions timeout:1 ndots:2\n');
    await expect(resolverOf().resolve('web.test', 'local')).resolves.toEqual([v4('10.0.0.2')]);
    expect(names.asked).toEqual(['web.test.none.test', 'web.test.corp.test']);
  });

  it('is resolved by the system when DNS does not know it, for the operator only', async () => {
    const { resolve } = resolverOf();
    // Resolved by the system without any file, and not an IP address for Node.
    await expect(resolve('127.1', 'system')).resolves.toEqual([v4('127.0.0.1')]);
    await expect(resolve('127.1', 'local')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('127.1', 'public')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('without addresses is an error, and of many some are taken', async () => {
    const { resolve } = resolverOf();
    await expect(resolve('bare.test', 'public')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolve('many.test', 'public')).resolves.toHaveLength(8);
  });

  it('that is asked for by many at once is looked up once, and again for the next', async () => {
    const { resolve } = resolverOf();
    await Promise.all(Array.from({ length: 20 }, () => resolve('web.test', 'public')));
    expect(names.asked).toEqual(['web.test']);
    await resolve('web.test', 'public');
    expect(names.asked).toEqual(['web.test', 'web.test']);
  });

  it('that is answered in part is known by that part when its time is over', async () => {
    await expect(resolverOf({ timeoutMs: 2_000 }).resolve('half.test', 'public')).resolves.toEqual([v4('192.0.2.2')]);
  });

  it('that hangs ends with its time, and leaves its place', async () => {
    names.zone['slow.hang.test'] = 'hang';
    const { resolve } = resolverOf({ timeoutMs: 1_000, most: 1 });
    const late = { reason: 'timeout', message: 'The name slow.hang.test was not resolved in time.' };
    for (const scope of SCOPES) await expect(resolve('slow.hang.test', scope)).rejects.toMatchObject(late);
    await expect(resolve('web.test', 'public')).resolves.toHaveLength(2);
  });

  it('that hangs ends with the resolver', async () => {
    names.zone['slow.hang.test'] = 'hang';
    const resolver = resolverOf();
    const asked = resolver.resolve('slow.hang.test', 'public');
    await until(async () => names.asked.length === 1);
    resolver.close();
    await expect(asked).rejects.toMatchObject({ reason: 'timeout' });
  });
});

describe('while names hang', () => {
  const MOST = 12;
  let server: Loopback;
  let outbound: Outbound;
  let settled: number;

  beforeEach(async () => {
    names.zone['quick.test'] = ['127.0.0.1'];
    names.zone['private.test'] = ['93.184.215.14', '::1'];
    server = await serveHttp((_request, response) => response.end('here'));
    const { resolve } = resolverOf({ most: MOST });
    outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test', resolve });
    settled = 0;
  });
  afterEach(async () => {
    for (const resolver of resolvers) resolver.close();
    await server.close();
    await outbound.close();
  });

  const ask = (host: string, trust: 'user' | 'operator') =>
    outbound.request({ url: `http://${host}:${server.port}/`, timeoutMs: 20_000, maxBytes: 100, trust });

  /** More than all threads of the process, and than there are places. */
  async function hang(trust: 'user' | 'operator'): Promise<Promise<unknown>[]> {
    const hosts = Array.from({ length: 3 * MOST }, (_, index) => `n${index}.hang.test`);
    for (const host of hosts) names.zone[host] = 'hang';
    const calls = hosts.map((host) => ask(host, trust).catch(() => undefined));
    for (const call of calls) void call.then(() => (settled += 1));
    await until(async () => names.asked.length >= (2 / 3) * MOST);
    return calls;
  }

  it.each(['user', 'operator'] as const)('of the %s does not delay calls to other names', async (trust) => {
    const calls = await hang(trust);
    expect((await ask('quick.test', 'user')).text()).toBe('here');
    expect((await ask('quick.test', 'operator')).text()).toBe('here');
    await outbound.checkAddress('http://quick.test/');
    expect(settled).toBe(0);
    for (const resolver of resolvers) resolver.close();
    await Promise.all(calls);
  });

  it('those of one domain take two thirds of the places', async () => {
    const calls = await hang('user');
    await ask('quick.test', 'user');
    expect(names.asked.filter((name) => name.endsWith('.hang.test'))).toHaveLength((2 / 3) * MOST);
    for (const resolver of resolvers) resolver.close();
    await Promise.all(calls);
  });

  it('of one account, below a suffix of two labels, delay neither others below it nor the account itself', async () => {
    names.zone['shop.co.uk'] = ['127.0.0.1'];
    const hosts = Array.from({ length: 3 * MOST }, (_, index) => `n${index}.evil.co.uk`);
    for (const host of hosts) names.zone[host] = 'hang';
    const of = (account: string, host: string) =>
      outbound.request({
        url: `http://${host}:${server.port}/`,
        timeoutMs: 20_000,
        maxBytes: 100,
        trust: 'user',
        account,
      });
    const calls = [...hosts, 'shop.co.uk'].map((host) => of('evil', host).catch(() => undefined));
    for (const call of calls) void call.then(() => (settled += 1));
    await until(async () => names.asked.length >= MOST / 3);
    expect((await of('other', 'shop.co.uk')).text()).toBe('here');
    await workFor('third', () => outbound.checkAddress('http://shop.co.uk/'));
    expect((await of('evil', 'quick.test')).text()).toBe('here');
    expect(names.asked.filter((name) => name.endsWith('.evil.co.uk'))).toHaveLength(MOST / 3);
    expect(settled).toBe(0);
    for (const resolver of resolvers) resolver.close();
    await Promise.all(calls);
  });

  it('the call itself ends with its own limit', async () => {
    names.zone['slow.hang.test'] = 'hang';
    const call = outbound.request({ url: 'http://slow.hang.test/', timeoutMs: 50, maxBytes: 1, trust: 'user' });
    await expect(call).rejects.toMatchObject({ reason: 'timeout', message: /within 50 ms/ });
  });

  it('the answers of DNS are judged one by one', async () => {
    const guarded = createOutbound({
      allowPrivateNetwork: false,
      userAgent: 'test',
      resolve: resolverOf().resolve,
    });
    for (const host of ['quick.test', 'private.test'])
      await expect(guarded.checkAddress(`http://${host}/`)).rejects.toMatchObject({ reason: 'blocked' });
    await guarded.close();
  });
});
