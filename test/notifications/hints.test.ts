import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { defineTopic, Notifications } from '../../src/platform/notifications/notifications.js';
import { Outbox } from '../../src/platform/notifications/outbox.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

const words = defineTopic<string>('test_words');
const places = defineTopic<{ of: string; position: number }>('test_places', (place) => place);

describe('hints', () => {
  let test: TestDatabase;
  let db: Database;
  let [here, there] = [] as unknown as [Notifications, Notifications];
  let heard: Record<'here' | 'there', string[]>;

  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(await createDataSource({ url: test.url, poolSize: 2 }, []).initialize());
  });
  beforeEach(async () => {
    heard = { here: [], there: [] };
    [here, there] = [
      new Notifications(test.url, createLogger('silent')),
      new Notifications(test.url, createLogger('silent')),
    ];
    here.on(words, (word) => heard.here.push(word));
    there.on(words, (word) => heard.there.push(word));
    await Promise.all([here.start(), there.start()]);
  });
  afterEach(() => Promise.all([here.stop(), there.stop()]));
  afterAll(async () => {
    await db.source.destroy();
    await test.drop();
  });

  it('reach another process after the commit, in order, and the own one once', async () => {
    await db.transaction(async (tx) => {
      here.publish(tx, words, 'a', 'b');
      await tx.query('SELECT 1');
      expect(heard).toEqual({ here: [], there: [] });
    });
    here.hint(words, 'c');
    await until(() => heard.there.length === 3);
    here.hint(words, 'd');
    await until(() => heard.there.length === 4);
    expect(heard).toEqual({ here: ['a', 'b', 'c', 'd'], there: ['a', 'b', 'c', 'd'] });
  });

  it('are sent before a process stops', async () => {
    for (let count = 0; count < 50; count += 1) here.hint(words, `${count}`);
    await here.stop();
    await until(() => heard.there.length === 50);
  });

  it('of one subject become one: that of the last position', async () => {
    const positions: number[] = [];
    there.on(places, ({ position }) => positions.push(position));
    // The first one goes at once, and those behind it wait for each other.
    for (const position of [1, 2, 4, 3]) here.hint(places, { of: 'x', position });
    here.hint(words, 'end');
    await until(() => heard.there.length === 1);
    expect(positions).toEqual([1, 4]);
  });

  it('are no part of a transaction: a single statement of the service notifies', () => {
    const src = join(packageRoot, 'src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const notify = /\bpg_notify\(|[`'"]\s*NOTIFY\b/;
    expect(files.filter((file) => notify.test(readFileSync(join(src, file), 'utf8')))).toEqual([
      'platform/notifications/notifications.ts',
    ]);
  });
});

describe('an outbox', () => {
  it('sends the first hint at once, then one message after another, with all hints in order', async () => {
    const sent: string[][] = [];
    const pending: (() => void)[] = [];
    const outbox = new Outbox((texts) => {
      sent.push(texts);
      return new Promise((resolve) => pending.push(resolve));
    });
    outbox.add('1', 'a');
    expect(sent).toEqual([['a']]);
    outbox.add('2', 'b');
    outbox.add('3', 'c');
    outbox.add('2', 'd');
    expect(sent).toEqual([['a']]);
    pending.shift()!();
    await until(() => sent.length === 2);
    expect(sent).toEqual([['a'], ['d', 'c']]);
    pending.shift()!();
    await outbox.flush();
    expect(sent).toHaveLength(2);
  });
});
