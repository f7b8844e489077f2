import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareRequest, sendRequest } from '../../../src/features/actions/http-step.js';
import { LongWork } from '../../../src/platform/admission/long-work.js';
import { TargetLimits } from '../../../src/platform/admission/target-limits.js';
import { createOutbound } from '../../../src/platform/http/outbound/outbound.js';
import { RunWorld } from '../../support/worlds/run-world.js';

/** Spellings of addresses of this machine or of a private network. */
const HOSTS = [
  ...['127.0.0.1', '127.0.0.1.', '127.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1'],
  ...['017700000001', '①②⑦.⓪.⓪.①', '%31%32%37.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', 'foo.localhost'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::a00:1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]'],
  ...['[2002:7f00:1::]', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]'],
  ...['169.254.169.254', '0xa9fea9fe', '0.0.0.0', '0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['100.64.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
  ...['255.255.255.255'],
];

describe('the address of a call', () => {
  let guarded: RunWorld;
  /** The sockets of this process: Node publishes each before it connects. */
  let sockets = 0;
  const count = () => void (sockets += 1);
  beforeAll(async () => {
    guarded = await RunWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'false', BASE_URL: 'http://gateway.test' } });
  });
  afterAll(() => guarded.close());

  it('is refused in every spelling, literal or from a placeholder, before a connection is made', async () => {
    expect(HOSTS.length).toBeGreaterThanOrEqual(40);
    const port = new URL(guarded.targetUrl).port;
    const written = await Promise.all(
      HOSTS.map((host) => guarded.workflow([guarded.call('x', { url: `http://${host}:${port}/` })])),
    );
    const { hook } = await guarded.workflow([guarded.call('x', { url: '{{ trigger.body.url }}' })]);
    const runs = await Promise.all(written.map(({ hook: own }) => guarded.fire(own)));
    for (const host of HOSTS) runs.push(await guarded.fire(hook, { url: `http://${host}:${port}/` }));
    const errors = await Promise.all(runs.map(async (id) => [id, (await guarded.ended(id)).error?.code]));
    expect(errors.filter(([, code]) => code !== 'blocked')).toEqual([]);
    expect(guarded.received).toHaveLength(0);
  });

  it('may be this machine while BASE_URL is, in production not', async () => {
    const codes = [];
    for (const NODE_ENV of ['development', 'production']) {
      const world = await RunWorld.open({ env: { ALLOW_PRIVATE_NETWORK: 'false', NODE_ENV } });
      const { hook } = await world.workflow([world.call('x')]);
      codes.push((await world.ended(await world.fire(hook))).error?.code, world.received.length);
      await world.close();
    }
    expect(codes).toEqual([undefined, 1, 'blocked', 0]);
  });

  it('opens no socket when it is refused', async () => {
    const outbound = createOutbound({
      allowPrivateNetwork: false,
      userAgent: 'test',
      // The first answer is public, as a check ahead of the call would have seen it.
      resolve: rebinding(['93.184.215.14', '127.0.0.1']),
    });
    await outbound.checkAddress('http://rebind.test/');
    subscribe('net.client.socket', count);
    sockets = 0;
    for (const url of ['http://rebind.test/', ...HOSTS.map((host) => `http://${host}/`)]) {
      const work = {
        outbound,
        targets: new TargetLimits(),
        longWork: new LongWork(),
        accountId: 'a',
        hops: 0,
        index: 0,
        startedAt: new Date(),
        now: new Date(),
        signal: new AbortController().signal,
        runId: 'run_x',
      } as never;
      const { outcome } = await sendRequest(prepareRequest({ method: 'GET' }, work), { url, trust: 'user' }, work);
      expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'blocked' } });
    }
    expect(sockets).toBe(0);
    unsubscribe('net.client.socket', count);
    await outbound.close();
  });

  it('is not changed by a redirect: that fails the step', async () => {
    const world = await RunWorld.open();
    const location = `${world.targetUrl}/private`;
    world.reply = ({ url }) => (url === '/moved' ? { status: 302, headers: { location } } : {});
    const { hook } = await world.workflow([world.call('moved')]);
    const run = await world.ended(await world.fire(hook));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'http_302' }, steps: [{ attempt: 1 }] });
    expect(world.received.map(({ url }) => url)).toEqual(['/moved']);
    await world.close();
  });
});

function rebinding(answers: string[]) {
  return async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
}
