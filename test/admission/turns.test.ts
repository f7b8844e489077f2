import { mock } from 'node:test';
import { type Cost, type Turn, Turns } from '../../src/platform/admission/turns.js';
import { outlastClient, STOPPING, workBeside, workFor, workForCallers } from '../../src/platform/admission/work.js';
import { AppError, isDatabaseAway } from '../../src/platform/errors.js';
import { until } from '../support/until.js';

/** Lets all pending promises continue. */
const settle = async () => {
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
};

describe('turns of a pool', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Begins to wait for several turns of an account. */
  function taker(turns: Turns) {
    const began: string[] = [];
    const held = new Map<string, Turn[]>();
    const refused: unknown[] = [];
    const take = (account: string, count = 1, cost: Cost = 'cheap', client?: AbortController) => {
      for (let taken = 0; taken < count; taken += 1) {
        workFor(account, () => turns.take(cost), { client }).then(
          (turn) => {
            began.push(account);
            held.set(account, [...(held.get(account) ?? []), turn]);
          },
          (error: unknown) => refused.push(error),
        );
      }
    };
    const leave = (account: string) => held.get(account)!.shift()!.leave();
    return { began, refused, take, leave };
  }
  const count = (all: readonly string[], one: string) => all.filter((each) => each === one).length;

  it('give an account all connections but two', async () => {
    const { began, take, leave } = taker(new Turns(10));
    take('a', 20);
    await settle();
    expect(began).toHaveLength(8);
    leave('a');
    await settle();
    expect(began).toHaveLength(9);
  });

  it.each([
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ])('of a pool of %i give an account %i', async (size, expected) => {
    const { began, take } = taker(new Turns(size));
    take('a', 20);
    await settle();
    expect(began).toHaveLength(expected);
  });

  it('let the next expensive statement of an account wait for as long as the last one took, if others have work', async () => {
    mock.timers.reset();
    const turns = new Turns(10);
    const { began, take, leave } = taker(turns);
    take('other');
    take('a', 3, 'expensive');
    await settle();
    expect(count(began, 'a')).toBe(2);
    leave('a');
    take('a');
    await settle();
    // Only a cheap one has begun.
    expect([count(began, 'a'), turns.of('a')]).toEqual([3, { held: 2, heldExpensive: 2, waits: 1 }]);
    await until(() => count(began, 'a') === 4);
    expect(turns.of('a')).toEqual({ held: 3, heldExpensive: 2, waits: 0 });
  });

  it('give the work beside a unit of work its own connection', async () => {
    const turns = new Turns(10);
    const { began, take } = taker(turns);
    take('a', 20);
    await settle();
    expect(began).toHaveLength(8);
    const beside = await workFor('a', () => workBeside(() => turns.take('cheap')));
    expect(turns.of('a').held).toBe(8);
    beside.leave();
  });

  it('refuse waiting work at once when the database stops responding, and continue afterwards', async () => {
    const turns = new Turns(5);
    const { began, refused, take, leave } = taker(turns);
    take('a', 5);
    take('b', 4, 'expensive');
    await settle();
    expect([began.length, turns.waiting]).toEqual([4, 5]);
    turns.refuseWaiting();
    await settle();
    expect([refused.length, turns.waiting]).toEqual([5, 0]);
    expect(refused.every((error) => error instanceof AppError && error.status === 503 && isDatabaseAway(error))).toBe(
      true,
    );
    leave('a');
    take('b');
    await settle();
    expect(began).toHaveLength(5);
  });

  it('leave the last free connection to an account without one', async () => {
    const { began, take } = taker(new Turns(10));
    take('a', 20);
    take('b', 20);
    await settle();
    expect([count(began, 'a'), count(began, 'b')]).toEqual([8, 1]);
    take('c');
    await settle();
    expect(count(began, 'c')).toBe(1);
  });

  it('rotate among waiting accounts, regardless of how many statements each has', async () => {
    const turns = new Turns(4);
    const { began, take, leave } = taker(turns);
    for (const account of ['w', 'x', 'y', 'z']) take(account);
    take('a', 100);
    take('b', 2);
    take('c', 1);
    await settle();
    for (const account of ['w', 'a', 'b', 'c', 'a', 'b', 'a']) {
      leave(account);
      await settle();
    }
    expect(began.slice(4).join('')).toBe('abcabaa');
    expect([turns.inUse, turns.waiting]).toEqual([4, 96]);
  });

  it('give an account two for expensive statements, and the others for cheap ones that came later', async () => {
    const { began, take, leave } = taker(new Turns(10));
    take('a', 5, 'expensive');
    await settle();
    expect(began).toHaveLength(2);
    take('a', 10);
    await settle();
    expect(began).toHaveLength(8);
    take('b', 5, 'expensive');
    await settle();
    expect(count(began, 'b')).toBe(1);
    leave('a');
    leave('a');
    await settle();
    expect([count(began, 'a'), count(began, 'b')]).toEqual([9, 2]);
  });

  it('share what belongs to no account as one of the others', async () => {
    const turns = new Turns(10);
    const own = Array.from({ length: 20 }, () => turns.take('cheap'));
    await settle();
    expect([turns.inUse, turns.waiting]).toEqual([8, 12]);
    const { began, take } = taker(turns);
    take('a');
    await settle();
    expect(began).toEqual(['a']);
    await workForCallers(() => turns.take('cheap'));
    expect(turns.inUse).toBe(10);
    for (const turn of own.slice(0, 8)) (await turn).leave();
    await settle();
    expect([turns.inUse, turns.waiting]).toEqual([9, 5]);
  });

  describe('are not waited for', () => {
    it('longer than 5 seconds: 429 where the account has all that it may have', async () => {
      const turns = new Turns(10);
      const { refused, take, leave } = taker(turns);
      take('a', 9);
      take('b', 3, 'expensive');
      take('c');
      await settle();
      mock.timers.tick(1_000);
      leave('c');
      mock.timers.tick(3_999);
      await settle();
      expect(refused).toEqual([]);
      mock.timers.tick(1);
      await settle();
      expect(refused).toMatchObject([
        { code: 'rate_limited', options: { retryAfter: 1 } },
        { code: 'unavailable', options: { retryAfter: 1 } },
        { code: 'unavailable', options: { retryAfter: 1 } },
      ]);
      expect(refused.every(isDatabaseAway)).toBe(true);
      expect(turns.waiting).toBe(0);
    });

    it('longer than 5 seconds: 429 for a third expensive statement, 503 for work of no account', async () => {
      const turns = new Turns(10);
      const { refused, take, leave } = taker(turns);
      take('a', 3, 'expensive');
      take('c');
      const own = Array.from({ length: 9 }, () => turns.take('cheap').catch((error: unknown) => error));
      await settle();
      mock.timers.tick(1_000);
      leave('c');
      mock.timers.tick(4_000);
      await settle();
      expect(refused).toMatchObject([{ code: 'rate_limited' }]);
      expect((await Promise.all(own.slice(7))).filter((error) => error instanceof AppError)).toMatchObject([
        { code: 'unavailable' },
        { code: 'unavailable' },
      ]);
    });
  });

  it('are 503 after 5 seconds where no other ended in the last four: the database is silent', async () => {
    const { refused, take, leave } = taker(new Turns(10));
    take('a', 9);
    take('b');
    await settle();
    leave('b');
    mock.timers.tick(1_000);
    mock.timers.tick(4_000);
    await settle();
    expect(refused).toMatchObject([
      { code: 'unavailable', message: expect.stringContaining('cannot reach its database') },
    ]);
  });

  it('are given up when the client disconnects', async () => {
    const turns = new Turns(10);
    const { began, refused, take, leave } = taker(turns);
    const [gone, staying] = [new AbortController(), new AbortController()];
    take('a', 8);
    take('a', 3, 'cheap', gone);
    take('a', 1, 'cheap', staying);
    await settle();
    expect(turns.waiting).toBe(4);
    gone.abort();
    take('a', 1, 'cheap', gone);
    await settle();
    expect([turns.waiting, refused.length]).toEqual([1, 4]);
    leave('a');
    await settle();
    expect([began.length, turns.waiting]).toEqual([9, 0]);
  });

  it('are kept for writes, and for running work when the service stops', async () => {
    const turns = new Turns(10);
    const { take } = taker(turns);
    const [gone, stopped] = [new AbortController(), new AbortController()];
    take('a', 8);
    workFor(
      'a',
      () => {
        outlastClient();
        take('a');
      },
      { client: gone },
    );
    take('a', 1, 'cheap', stopped);
    await settle();
    gone.abort();
    stopped.abort(STOPPING);
    take('a', 1, 'cheap', stopped);
    await settle();
    expect(turns.waiting).toBe(3);
  });
});
