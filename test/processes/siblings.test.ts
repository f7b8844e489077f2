import { EventEmitter } from 'node:events';
import { Places } from '../../src/platform/admission/places.js';
import { StoredBytes } from '../../src/platform/admission/daily/stored-bytes.js';
import { RateLimits } from '../../src/platform/admission/rate-limits.js';
import { KEPT_OF_ACCOUNT, KeptBytes } from '../../src/features/idempotency/kept-bytes.js';
import { AttemptLimits } from '../../src/features/users/sign-in/attempt-limits.js';
import { Channel, type Endpoint } from '../../src/platform/processes/channel.js';
import { LeaseHub } from '../../src/platform/processes/lease-hub.js';
import { Siblings } from '../../src/platform/processes/siblings.js';
import { SpendingHub } from '../../src/platform/processes/spending-hub.js';
import { Deaths } from '../../src/process/several/deaths.js';
import { until } from '../support/until.js';

/** Two ends of a channel: messages are copied, and arrive in a later turn, as between processes. */
function pair(): [Channel, Channel] {
  const ends = [new EventEmitter(), new EventEmitter()];
  const endpoint = (own: number): Endpoint => ({
    connected: true,
    on: (event, listener) => ends[own]!.on(event, listener),
    send: (message, _handle, _options, callback) => {
      const copy = structuredClone(message);
      setImmediate(() => ends[1 - own]!.emit('message', copy));
      callback(null);
      return true;
    },
  });
  return [new Channel(endpoint(0)), new Channel(endpoint(1))];
}

/** Siblings and the primary's ends of their channels, which `connect` prepares. */
function machine(count: number, connect: (channel: Channel) => void): { siblings: Siblings; channel: Channel }[] {
  return Array.from({ length: count }, () => {
    const [own, channel] = pair();
    connect(channel);
    return { siblings: new Siblings(own, true), channel };
  });
}

const clock = { now: () => new Date(1_000_000) };
const SETTINGS = { read: 10, write: 10, subscribe: 10, hook: 10, hookBytes: 10 };

describe('buckets of several processes', () => {
  it('hold what another process has spent, owe what both admitted at once, and take back what was given back', async () => {
    const hub = new SpendingHub('rates');
    const machines = machine(2, (channel) => hub.connect(channel));
    const [one, other] = machines.map(({ siblings }) => new RateLimits(clock, SETTINGS, siblings.spending('rates')));
    for (const { channel } of machines) await hub.add(channel);
    const left = (limits: RateLimits) => limits.take('read', { id: 'k', account: 'a' }, 0)!.headers.ratelimit;
    one!.take('read', { id: 'k', account: 'a' }, 5);
    await until(() => left(other!).includes('r=15;'));
    one!.recount('read', 'write', { id: 'k', account: 'a' }, 1, 5);
    await until(() => left(other!).includes('r=20;'));
    // Both empty the bucket before they hear of each other: the machine owes a whole burst.
    for (const limits of [one!, other!]) limits.take('read', { id: 'k', account: 'a' }, 20);
    await until(() => left(one!).includes('t=4') && left(other!).includes('t=4'));
    expect(one!.take('read', { id: 'k', account: 'a' })!.refusal).toMatchObject({ options: { retryAfter: 3 } });
    expect(one!.take('read', { id: 'other', account: 'a' })!.refusal).toBeUndefined();
  });

  it('are as empty in a process that starts as in the others', async () => {
    const hub = new SpendingHub('rates');
    const [first, second] = machine(2, (channel) => hub.connect(channel));
    const one = new RateLimits(clock, SETTINGS, first!.siblings.spending('rates'));
    await hub.add(first!.channel);
    one.take('hook', { id: 'h' }, 20);
    const late = new RateLimits(clock, SETTINGS, second!.siblings.spending('rates'));
    await hub.add(second!.channel);
    await until(() => late.take('hook', { id: 'h' }, 0)!.refusal !== undefined);
    expect(late.take('hook', { id: 'another' })!.refusal).toBeUndefined();
  });

  it('count guesses of a password together', async () => {
    const hub = new SpendingHub('attempts');
    const machines = machine(2, (channel) => hub.connect(channel));
    const [one, other] = machines.map(({ siblings }) => new AttemptLimits(clock, true, siblings.spending('attempts')));
    for (const { channel } of machines) await hub.add(channel);
    const undo = Array.from({ length: 10 }, () => one!.take({ person: 'p' }));
    const isRefused = () => {
      try {
        other!.take({ person: 'p' })();
        return false;
      } catch {
        return true;
      }
    };
    await until(isRefused);
    undo[0]!();
    await until(() => !isRefused());
  });
});

describe('kept responses', () => {
  it('are counted over all processes', async () => {
    const hub = new SpendingHub('kept');
    const machines = machine(2, (channel) => hub.connect(channel));
    const [one, other] = machines.map(({ siblings }) => new KeptBytes(clock, siblings.spending('kept')));
    for (const { channel } of machines) await hub.add(channel);
    one!.add('a', KEPT_OF_ACCOUNT - 16_384);
    await until(() => {
      try {
        other!.add('a', 20_000);
        return false;
      } catch {
        return true;
      }
    });
  });
});

describe('stored bytes', () => {
  it('are counted over all processes, also by one that starts later', async () => {
    const hub = new SpendingHub('stored');
    const machines = machine(3, (channel) => hub.connect(channel));
    const accounts = { areSeveral: () => Promise.resolve(true) };
    const [one, other, late] = machines.map(
      ({ siblings }) => new StoredBytes(clock, 1, accounts, siblings.spending('stored')),
    );
    for (const { channel } of machines.slice(0, 2)) await hub.add(channel);
    one!.add('a', 1_048_575);
    other!.add('a', 1);
    await until(async () => (await one!.isFull('a')) && (await other!.isFull('a')));
    await hub.add(machines[2]!.channel);
    await until(() => late!.isFull('a'));
    expect(await late!.isFull('b')).toBe(false);
  });
});

describe('places of several processes', () => {
  let hub: LeaseHub;
  let machines: ReturnType<typeof machine>;
  let places: Places[];

  beforeEach(() => {
    hub = new LeaseHub();
    machines = machine(3, (channel) => hub.connect(channel));
    places = machines.map(({ siblings }) => new Places(10, siblings.places('waits')));
  });

  const takeOf = async (count: number, from: Places) =>
    Promise.all(Array.from({ length: count }, async () => from.take('k')));

  it('are never more than the machine has, however they are raced for', async () => {
    const taken = (await Promise.all(places.map((each) => takeOf(10, each)))).flat();
    expect(taken.filter((release) => release !== undefined)).toHaveLength(10);
    expect(await places[0]!.take('another')).toBeDefined();
  });

  it('are recalled from a process that keeps free ones, so that none is refused in vain', async () => {
    for (const release of await takeOf(10, places[0]!)) release!();
    const taken = await takeOf(11, places[1]!);
    expect(taken.filter((release) => release === undefined)).toHaveLength(1);
    // A place is released once.
    taken[0]!();
    taken[0]!();
    expect((await takeOf(2, places[2]!)).filter((release) => release !== undefined)).toHaveLength(1);
  });

  it('go back to the primary a while after they became free', async () => {
    for (const release of await takeOf(10, places[0]!)) release!();
    const leased = hub as unknown as { leased: Map<string, unknown> };
    expect(leased.leased.size).toBe(1);
    await until(() => leased.leased.size === 0);
    expect((await takeOf(10, places[0]!)).every((release) => release !== undefined)).toBe(true);
  });

  it('are free when their process has ended, also while it was asked for them', async () => {
    await takeOf(10, places[0]!);
    const asked = takeOf(10, places[1]!);
    machines[0]!.channel.end();
    hub.remove(machines[0]!.channel);
    await asked;
    expect((await takeOf(10, places[2]!)).filter((release) => release === undefined).length).toBeLessThanOrEqual(10);
    hub.remove(machines[1]!.channel);
    hub.remove(machines[2]!.channel);
    expect((hub as unknown as { leased: Map<string, unknown> }).leased.size).toBe(0);
  });

  it('are not lost with a process that ends while it waits for those of another', async () => {
    const [busy, dying] = [pair(), pair()];
    for (const [, channel] of [busy, dying]) hub.connect(channel);
    const [recalled, given] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
    busy[0].on('recall', () => {
      recalled.resolve();
      return given.promise;
    });
    const request = { name: 'waits k', most: 1 };
    expect(await busy[0].ask('lease', request)).toBe(true);
    const asked = dying[0].ask('lease', request);
    await recalled.promise;
    hub.remove(dying[1]);
    given.resolve(1);
    expect(await asked).toBe(false);
    expect(await busy[0].ask('lease', request)).toBe(true);
  });
});

describe('a channel', () => {
  it('rejects a question whose handler fails, and those open when the other process ends', async () => {
    const [one, other] = pair();
    other.on('fails', () => {
      throw new Error('no');
    });
    other.on('hangs', () => new Promise(() => undefined));
    await expect(one.ask('fails')).rejects.toThrow('failed in the other process');
    const hanging = one.ask('hangs');
    one.end();
    await expect(hanging).rejects.toThrow('has ended');
  });
});

it('deaths pause ever longer, the fifth within a minute ends the service, and those before it are forgotten', () => {
  const deaths = new Deaths();
  expect([0, 1_000, 2_000, 3_000].map((at) => deaths.count(at))).toEqual([250, 500, 1_000, 2_000]);
  expect(deaths.count(59_000)).toBeUndefined();
  expect(new Deaths().count(0)).toBe(250);
  const spread = new Deaths();
  for (let at = 0; at < 4_000; at += 1_000) spread.count(at);
  expect(spread.count(61_500)).toBe(1_000);
});
