import { randomUUID } from 'node:crypto';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { Idempotency } from '../../src/features/idempotency/idempotency.service.js';
import { Answers } from '../../src/platform/admission/answers.js';
import { workFor } from '../../src/platform/admission/work.js';
import { type KeptAnswer } from '../../src/platform/repetition.js';
import { LongWork } from '../../src/platform/admission/long-work.js';
import { noteCall } from '../../src/platform/db/transaction-context.js';
import { KeptBytes } from '../../src/features/idempotency/kept-bytes.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { StillClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { until } from '../support/until.js';

describe('Idempotency', () => {
  let test: TestDatabase;
  let db: Database;
  let clock: StillClock;
  let idempotency: Idempotency;
  const accountId = randomUUID();

  beforeAll(async () => {
    test = await createTestDatabase();
    db = new Database(createDataSource({ url: test.url, poolSize: 4 }, []));
    await db.source.initialize();
    await db.query('CREATE TABLE notes (text text)');
    await db.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1, 'a', now())`, [accountId]);
  });
  afterAll(async () => {
    await db.source.destroy();
    await test.drop();
  });
  beforeEach(async () => {
    clock = new StillClock();
    await clock.advance(db, 0);
    idempotency = new Idempotency(db, clock, new Secrets([Buffer.alloc(32)]));
    await db.query('DELETE FROM notes');
  });

  const request = (key: string, body = '{}', path = '/workflows') => ({ accountId, key, path, body });
  const work = (text: string) => async (): Promise<KeptAnswer> => {
    await db.transaction((tx) => tx.query('INSERT INTO notes VALUES ($1)', [text]));
    return { status: 201, body: { text } };
  };
  const notes = async () => (await db.query<{ text: string }>('SELECT text FROM notes')).map(({ text }) => text);

  it('does the work once and returns the kept response', async () => {
    const first = await idempotency.once(request('k1'), work('one'));
    const second = await idempotency.once(request('k1'), work('two'));
    expect([first, second]).toEqual([
      { status: 201, body: { text: 'one' }, replayed: false },
      { status: 201, body: { text: 'one' }, replayed: true },
    ]);
    expect(await notes()).toEqual(['one']);
  });

  it('measures a kept response before it is read, and reads a large one in the place of a large response', async () => {
    const answers = new Answers();
    const replay = async (key: string) => {
      const answer = answers.begin(accountId);
      const kept = await workFor(accountId, () => idempotency.once(request(key), work('again')), { answer });
      answer.end();
      return kept.replayed;
    };
    await idempotency.once(request('large'), async () => ({ status: 200, body: {}, text: 'x'.repeat(1_800_000) }));
    await idempotency.once(request('small'), work('one'));
    // As many as one account may have.
    const held = Array.from({ length: 4 }, () => answers.begin(accountId));
    for (const answer of held) await answer.expect(2_000_000, true);
    const before = db.statements;
    let read = 0;
    const large = [1, 2, 3].map(() => replay('large').then((replayed) => (read += Number(replayed))));
    await until(() => db.statements >= before + 6);
    for (let time = 0; time < 5; time += 1) expect(await replay('small')).toBe(true);
    expect(read).toBe(0);
    held[0]!.end();
    await Promise.all(large);
    expect(read).toBe(3);
    held.forEach((answer) => answer.end());
    expect([answers.inUse, await notes()]).toEqual([0, ['one']]);
  });

  it('distinguishes keys of other paths and accounts', async () => {
    const other = randomUUID();
    await db.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1, 'b', now())`, [other]);
    await idempotency.once(request('k2'), work('one'));
    await idempotency.once(request('k2', '{}', '/triggers'), work('two'));
    await idempotency.once({ ...request('k2'), accountId: other }, work('three'));
    expect((await notes()).sort()).toEqual(['one', 'three', 'two']);
  });

  it('refuses the key with other bytes, even if they mean the same', async () => {
    await idempotency.once(request('k3', '{"a":1}'), work('one'));
    await expect(idempotency.once(request('k3', '{"a": 1}'), work('two'))).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
    expect(await notes()).toEqual(['one']);
  });

  it('does the work of simultaneous requests once; the others get `idempotency_in_progress`', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => idempotency.once(request('k4'), work('one'))),
    );
    const done = results.filter(({ status }) => status === 'fulfilled');
    expect(await notes()).toEqual(['one']);
    expect(done.length).toBeGreaterThan(0);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'idempotency_in_progress' });
    }
  });

  it('keeps no error: the next request is executed again', async () => {
    const refused = idempotency.once(request('k5'), async () => {
      await work('lost')();
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(await notes()).toEqual([]);
    expect(await idempotency.once(request('k5'), work('one'))).toMatchObject({ replayed: false });
  });

  it('frees a key whose process died after 60 seconds, with nothing written', async () => {
    await db.query(
      `INSERT INTO idempotency_keys (account_id, digest, body_digest, claim_id, claimed_at)
       VALUES ($1, sha256('k6 /workflows'), sha256('{}'), gen_random_uuid(), $2)`,
      [accountId, clock.now()],
    );
    await expect(idempotency.once(request('k6'), work('one'))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    await clock.advance(db, 60_000);
    expect(await idempotency.once(request('k6'), work('one'))).toMatchObject({ replayed: false });
  });

  it('writes nothing for a request whose key was taken over in between', async () => {
    let finish: () => void = () => undefined;
    const slow = idempotency.once(request('k7'), async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return work('slow')();
    });
    const outcome = expect(slow).rejects.toMatchObject({ code: 'conflict' });
    await until(async () => (await db.query('SELECT 1 FROM idempotency_keys WHERE status IS NULL')).length > 0);
    await clock.advance(db, 60_000);
    await idempotency.once(request('k7'), work('quick'));
    finish();
    await outcome;
    expect(await notes()).toEqual(['quick']);
  });

  it('forgets a key after 24 hours', async () => {
    await idempotency.once(request('k8'), work('one'));
    await clock.advance(db, 86_400_000 - 1);
    expect(await idempotency.once(request('k8'), work('two'))).toMatchObject({ replayed: true });
    await clock.advance(db, 1);
    expect(await idempotency.once(request('k8', '{"other":true}'), work('two'))).toMatchObject({ replayed: false });
    await clock.advance(db, 86_401_000);
    await idempotency.prune();
    expect(await db.query('SELECT 1 FROM idempotency_keys')).toEqual([]);
  });

  it.each(['', ' ', 'a b', 'ü', 'x'.repeat(256), 'a\tb'])('refuses the key %j', async (key) => {
    await expect(idempotency.once(request(key), work('one'))).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('accepts a key of 255 visible characters', async () => {
    expect(await idempotency.once(request('!~'.repeat(127) + 'x'), work('one'))).toMatchObject({ status: 201 });
  });

  it('keeps answers sealed', async () => {
    await idempotency.once(request('k9'), async () => ({ status: 201, body: { secret: 'in-the-answer' } }));
    const rows = await db.query('SELECT k::text AS row FROM idempotency_keys k');
    expect(JSON.stringify(rows)).not.toContain('in-the-answer');
  });

  const long = (bytes: number, called = false) => ({
    done: 0,
    async work(): Promise<KeptAnswer> {
      if (called) noteCall();
      await work('long')();
      this.done += 1;
      return { status: 201, body: { text: 'x'.repeat(bytes - '{"text":""}'.length) } };
    },
  });

  it('keeps a response of 2 MB, and undoes a request whose response has one byte more', async () => {
    const full = long(2_097_152);
    const first = await idempotency.once(request('k10'), () => full.work());
    const again = await idempotency.once(request('k10'), () => full.work());
    expect([first.replayed, again.replayed, full.done]).toEqual([false, true, 1]);
    expect(again.body).toEqual(first.body);
    const beyond = long(2_097_153);
    for (let time = 1; time <= 2; time += 1) {
      await expect(idempotency.once(request('k11'), () => beyond.work())).rejects.toMatchObject({
        code: 'answer_too_large',
        message: expect.stringMatching(/`text`\. Nothing has changed\.$/),
      });
      expect([beyond.done, await notes()]).toEqual([time, ['long']]);
    }
  });

  it('does not repeat a call whose response was too large to keep', async () => {
    const beyond = long(2_097_153, true);
    expect(await idempotency.once(request('k12'), () => beyond.work())).toMatchObject({ status: 201, replayed: false });
    await expect(idempotency.once(request('k12'), () => beyond.work())).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('took effect'),
      options: { headers: { 'idempotent-replayed': 'true' } },
    });
    expect([beyond.done, await notes()]).toEqual([1, ['long']]);
  });

  it('undoes a request, and repeats no call, when the account has too many bytes kept', async () => {
    const bytes = new KeptBytes(clock);
    for (let number = 0; number < 128; number += 1) bytes.add(accountId, 2_097_152);
    idempotency = new Idempotency(db, clock, new Secrets([Buffer.alloc(32)]), new LongWork(), bytes);
    const [plain, calling, short] = [long(16_385), long(16_385, true), long(16_384)];
    await expect(idempotency.once(request('k13'), () => plain.work())).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await notes()).toEqual([]);
    await idempotency.once(request('k14'), () => calling.work());
    await expect(idempotency.once(request('k14'), () => calling.work())).rejects.toMatchObject({ code: 'conflict' });
    await idempotency.once(request('k15'), () => short.work());
    expect(await idempotency.once(request('k15'), () => short.work())).toMatchObject({ replayed: true });
  });

  it('writes, seals and opens long responses in turns of their account', async () => {
    const turns: [string, number][] = [];
    const counting = new LongWork();
    const { piece } = counting;
    counting.piece = (lane, size) => {
      turns.push([lane, size]);
      return piece.call(counting, lane, size);
    };
    idempotency = new Idempotency(db, clock, new Secrets([Buffer.alloc(32)]), counting);
    const full = long(100_000);
    for (let time = 0; time < 2; time += 1) await idempotency.once(request('k16'), () => full.work());
    expect(turns).toEqual([
      [accountId, 100_000],
      [accountId, expect.any(Number)],
    ]);
    expect(turns[1]![1]).toBeGreaterThan(100_000);
  });
});
