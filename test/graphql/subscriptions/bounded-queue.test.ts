import { BoundedQueue, QUEUE_LIMIT } from '../../../src/platform/notifications/bounded-queue.js';

describe('BoundedQueue', () => {
  const filled = (count: number, onClose?: () => void): BoundedQueue<number> => {
    const queue = new BoundedQueue<number>(onClose);
    for (let value = 1; value <= count; value += 1) queue.push(value);
    return queue;
  };
  const value = (given: number) => ({ value: given, done: false });
  const done = { value: undefined, done: true };

  it('gives values in order, those pushed before a read and those after', async () => {
    const queue = filled(2);
    expect([await queue.next(), await queue.next()]).toEqual([value(1), value(2)]);
    const read = queue.next();
    queue.push(3);
    expect(await read).toEqual(value(3));
  });

  it('gives each of several reads that wait its own value', async () => {
    const queue = new BoundedQueue<number>();
    const reads = [queue.next(), queue.next(), queue.next()];
    queue.push(1);
    queue.push(2);
    queue.end();
    expect(await Promise.all(reads)).toEqual([value(1), value(2), done]);
  });

  it('takes no more than its limit, and again when there is room', async () => {
    const queue = filled(QUEUE_LIMIT);
    expect(queue.push(0)).toBe(false);
    await queue.next();
    expect([queue.push(-1), queue.push(-2)]).toEqual([true, false]);
    for (let expected = 2; expected <= QUEUE_LIMIT; expected += 1) expect(await queue.next()).toEqual(value(expected));
    expect(await queue.next()).toEqual(value(-1));
  });

  it('gives what is queued before its end', async () => {
    const queue = filled(2);
    queue.end();
    expect(queue.push(3)).toBe(true);
    expect([await queue.next(), await queue.next(), await queue.next()]).toEqual([value(1), value(2), done]);
  });

  it('gives what is queued before its failure, which it gives once', async () => {
    const queue = filled(1);
    queue.fail(new Error('broken'));
    expect(await queue.next()).toEqual(value(1));
    await expect(queue.next()).rejects.toThrow('broken');
    expect(await queue.next()).toEqual(done);
  });

  it('fails the read that waits, and ends the others', async () => {
    const queue = new BoundedQueue<number>();
    const reads = [queue.next(), queue.next()];
    queue.fail(new Error('broken'));
    await expect(reads[0]).rejects.toThrow('broken');
    expect(await reads[1]).toEqual(done);
  });

  it('ends at once on return(), also while a read waits, and forgets what is queued', async () => {
    const queue = new BoundedQueue<number>();
    const read = queue.next();
    expect(await queue.return()).toEqual(done);
    expect(await read).toEqual(done);
    const full = filled(3);
    full.fail(new Error('never seen'));
    await full.return();
    expect(await full.next()).toEqual(done);
  });

  it.each([
    ['end()', async (queue: BoundedQueue<number>) => queue.end()],
    ['fail()', async (queue: BoundedQueue<number>) => queue.fail(new Error('x'))],
    ['return() before the first read', async (queue: BoundedQueue<number>) => void (await queue.return())],
  ])('closes once, by %s', async (_how, close) => {
    let closed = 0;
    const queue = filled(1, () => (closed += 1));
    await close(queue);
    queue.end();
    queue.fail(new Error('late'));
    await queue.return();
    expect([closed, queue.isEnded]).toEqual([1, true]);
  });

  describe('drained()', () => {
    it('resolves at once when nothing is queued', async () => {
      expect(await new BoundedQueue().drained(60_000)).toBe(true);
    });

    it('resolves when the last value is taken', async () => {
      const queue = filled(2);
      let drained = false;
      const waiting = queue.drained(60_000).then((answer) => (drained = answer));
      await queue.next();
      await new Promise(setImmediate);
      expect(drained).toBe(false);
      await queue.next();
      expect(await waiting).toBe(true);
    });

    it.each([
      ['ends', async (queue: BoundedQueue<number>) => queue.end()],
      ['fails', async (queue: BoundedQueue<number>) => queue.fail(new Error('x'))],
      ['is returned', async (queue: BoundedQueue<number>) => void (await queue.return())],
    ])('resolves when the queue %s', async (_how, close) => {
      const queue = filled(2);
      const waiting = queue.drained(60_000);
      await close(queue);
      expect(await waiting).toBe(true);
    });

    it('is false once the reader has taken nothing for the time it is given', async () => {
      expect(await filled(2).drained(20)).toBe(false);
    });

    it('waits for a slow reader as long as it goes on', async () => {
      const queue = filled(6);
      const waiting = queue.drained(80);
      for (let taken = 0; taken < 6; taken += 1) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        await queue.next();
      }
      expect(await waiting).toBe(true);
    });
  });
});
