import { QUEUE_LIMIT } from '../../src/platform/notifications/bounded-queue.js';
import { STREAM_BATCH } from '../../src/platform/changes/change-log.js';
import { ChangeStream, type Course } from '../../src/platform/changes/change-stream.js';
import { IntegrationStatusChange as Change } from '../../src/features/integrations/changes/integration-change.entity.js';

/** A table of changes whose reads happen when the test lets them, in the order it wants. */
class Table {
  readonly reads: { cursor: number; answer: () => void; fail: (error: unknown) => void }[] = [];
  size = 0;

  /** One more change, committed. */
  commit(reason: Change['reason'] = 'reconnected'): Change {
    this.size += 1;
    return changeAt(this.size, reason);
  }

  read = (cursor: number): Promise<Change[]> =>
    new Promise((resolve, reject) => {
      const answer = (): void => {
        const count = Math.min(STREAM_BATCH, this.size - cursor);
        resolve(Array.from({ length: count }, (_, index) => changeAt(cursor + index + 1)));
      };
      this.reads.push({ cursor, answer, fail: reject });
    });

  /** Waits for the stream to ask, and lets it have what is committed now. */
  async answer(): Promise<number> {
    const read = await this.asked();
    read.answer();
    await settled();
    return read.cursor;
  }

  async asked(): Promise<Table['reads'][number]> {
    while (this.reads.length === 0) await settled();
    return this.reads.shift()!;
  }
}

describe('ChangeStream', () => {
  let table: Table;
  let closed: number;
  let slow: number;

  beforeEach(() => {
    table = new Table();
    [closed, slow] = [0, 0];
  });

  const streamFrom = (
    cursor: number,
    more: Partial<Course<Change>> = {},
    patienceMs = 60_000,
  ): ChangeStream<Change> => {
    const course: Course<Change> = {
      cursor,
      placeOf: ({ version }) => version,
      matches: () => true,
      read: table.read,
      isOver: false,
      isLast: ({ reason }) => reason === 'deleted',
      ...more,
    };
    const events = { onClose: () => (closed += 1), onSlowReader: () => (slow += 1) };
    const stream = new ChangeStream(course, events, patienceMs);
    stream.start();
    return stream;
  };
  const take = async ({ changes }: ChangeStream<Change>, count: number): Promise<number[]> => {
    const versions: number[] = [];
    while (versions.length < count) versions.push((await changes.next()).value.version);
    return versions;
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

  it('gives the past, then the present', async () => {
    table.size = 3;
    const stream = streamFrom(1);
    await table.answer();
    stream.hear(table.commit());
    expect(await take(stream, 3)).toEqual([2, 3, 4]);
  });

  it('delivers a change once that commits before the read and is notified after it', async () => {
    const stream = streamFrom(0);
    const change = table.commit();
    await table.answer();
    stream.hear(change);
    stream.hear(table.commit());
    expect(await take(stream, 2)).toEqual([1, 2]);
  });

  it('reads again for a change that commits after the read and is notified before its result', async () => {
    const stream = streamFrom(0);
    const read = await table.asked();
    read.answer();
    stream.hear(table.commit());
    await settled();
    expect(await table.answer()).toBe(0);
    expect(await take(stream, 1)).toEqual([1]);
    stream.hear(table.commit());
    expect(await take(stream, 1)).toEqual([2]);
  });

  it('reads a long past in parts, the next when the last is taken', async () => {
    table.size = 250;
    const stream = streamFrom(0);
    await table.answer();
    await settled();
    expect(table.reads).toHaveLength(0);
    expect(await take(stream, 100)).toEqual(numbers(1, 100));
    expect(await table.answer()).toBe(100);
    stream.hear(table.commit());
    expect(await take(stream, 100)).toEqual(numbers(101, 200));
    expect(await table.answer()).toBe(200);
    expect(await take(stream, 51)).toEqual(numbers(201, 251));
  });

  it('goes back to the table when it falls behind, and loses nothing of a burst', async () => {
    const stream = streamFrom(0);
    await table.answer();
    const burst = QUEUE_LIMIT + 150;
    for (let made = 0; made < burst; made += 1) stream.hear(table.commit());
    expect(await take(stream, QUEUE_LIMIT)).toEqual(numbers(1, QUEUE_LIMIT));
    expect(await table.answer()).toBe(QUEUE_LIMIT);
    expect(await take(stream, 100)).toEqual(numbers(QUEUE_LIMIT + 1, QUEUE_LIMIT + 100));
    await table.answer();
    expect(await take(stream, 50)).toEqual(numbers(QUEUE_LIMIT + 101, burst));
    stream.hear(table.commit());
    expect(await take(stream, 1)).toEqual([burst + 1]);
    expect(slow).toBe(0);
  });

  it('ends a reader that takes nothing while changes wait for it', async () => {
    const stream = streamFrom(0, {}, 20);
    await table.answer();
    for (let made = 0; made <= QUEUE_LIMIT; made += 1) stream.hear(table.commit());
    while (slow === 0) await settled();
    expect([slow, closed]).toEqual([1, 1]);
    expect(await stream.changes.next()).toEqual({ value: undefined, done: true });
  });

  it('leaves a reader alone that takes nothing while little waits for it', async () => {
    const stream = streamFrom(0, {}, 10);
    await table.answer();
    for (let made = 0; made < QUEUE_LIMIT; made += 1) stream.hear(table.commit());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([slow, closed]).toEqual([0, 0]);
    expect(await take(stream, QUEUE_LIMIT)).toEqual(numbers(1, QUEUE_LIMIT));
  });

  it('tries again while the database is away, and then gives what was missed', async () => {
    const stream = streamFrom(0);
    (await table.asked()).fail(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    stream.hear(table.commit());
    (await table.asked()).fail(new Error('Connection terminated unexpectedly'));
    await table.answer();
    expect(await take(stream, 1)).toEqual([1]);
  });

  it('fails with an error that is no absence of the database', async () => {
    const stream = streamFrom(0);
    const next = stream.changes.next();
    (await table.asked()).fail(new Error('syntax error'));
    await expect(next).rejects.toThrow('syntax error');
    expect(closed).toBe(1);
  });

  it.each(['before its first read is answered', 'while the database is away'])('ends by return() %s', async (when) => {
    const stream = streamFrom(0);
    const read = await table.asked();
    if (when === 'while the database is away') read.fail(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    await stream.changes.return();
    read.answer();
    stream.hear(table.commit());
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(closed).toBe(1);
    expect(table.reads.length).toBeLessThanOrEqual(1);
    expect(await stream.changes.next()).toEqual({ value: undefined, done: true });
  });

  it('skips what does not match', async () => {
    const stream = streamFrom(0, { matches: ({ version }) => version % 2 === 0 });
    await table.answer();
    for (let made = 0; made < 4; made += 1) stream.hear(table.commit());
    expect(await take(stream, 2)).toEqual([2, 4]);
  });

  it('ends after the last change, but goes on where a change is not the last', async () => {
    const one = streamFrom(0);
    await table.answer();
    one.hear(table.commit('deleted'));
    expect(await take(one, 1)).toEqual([1]);
    expect(await one.changes.next()).toEqual({ value: undefined, done: true });
    const all = streamFrom(1, { isLast: () => false });
    await table.answer();
    all.hear(table.commit('deleted'));
    all.hear(table.commit());
    expect(await take(all, 2)).toEqual([2, 3]);
  });

  it('ends after the past of a course that is over', async () => {
    table.size = 150;
    const stream = streamFrom(1, { isOver: true });
    await table.answer();
    expect(await take(stream, 100)).toEqual(numbers(2, 101));
    await table.answer();
    expect(await take(stream, 49)).toEqual(numbers(102, 150));
    expect([await stream.changes.next(), closed]).toEqual([{ value: undefined, done: true }, 1]);
  });

  it.each(['caught up', 'still reading'])('ends with a last change that its cursor is ahead of, %s', async (when) => {
    table.size = 1;
    const stream = streamFrom(7);
    const read = await table.asked();
    if (when === 'caught up') read.answer();
    await settled();
    stream.hear(table.commit('deleted'));
    if (when === 'still reading') {
      read.answer();
      await table.answer();
    }
    expect([await stream.changes.next(), closed]).toEqual([{ value: undefined, done: true }, 1]);
  });
});

function changeAt(place: number, reason: Change['reason'] = 'reconnected'): Change {
  return Object.assign(new Change(), { version: place, reason, integrationId: 'i' });
}

function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
