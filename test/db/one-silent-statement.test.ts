import { type DataSource } from 'typeorm';
import { Database } from '../../src/platform/db/database.js';

const now = performance.now.bind(performance);

/** A database whose pool answers a statement when the test says so. */
function database(poolSize: number) {
  const sent = new Map<string, PromiseWithResolvers<{ rows: object[] }>>();
  const query = ({ text }: { text: string }) => {
    const answer = Promise.withResolvers<{ rows: object[] }>();
    sent.set(text, answer);
    return answer.promise;
  };
  const source = { options: { poolSize }, driver: { master: { query, idleCount: 0 } } } as unknown as DataSource;
  const db = new Database(source);
  return {
    sent,
    ask: (text: string) =>
      db.query(text).then(
        () => 'answered',
        (error: { code: string }) => error.code,
      ),
    answer: (text: string) => sent.get(text)!.resolve({ rows: [] }),
    /** Moves the service's clock by `milliseconds`. */
    later: (milliseconds: number) => {
      performance.now = () => now() + milliseconds;
    },
    timeOut: (text: string) => sent.get(text)!.reject(new Error('Query read timeout')),
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('a statement without an answer', () => {
  afterEach(() => {
    performance.now = now;
  });

  it('refuses those that wait, because the database is silent', async () => {
    const { sent, ask, timeOut } = database(3);
    void ask('first').catch(() => undefined);
    void ask('second');
    const waiting = ask('third');
    await turn();
    expect([...sent.keys()]).toEqual(['first', 'second']);
    timeOut('first');
    expect(await waiting).toBe('unavailable');
  });

  /** A first statement without an answer, a second one that was answered after it was sent, and a third one that waits. */
  async function answeredSince() {
    const { sent, ask, answer, timeOut, later } = database(3);
    void ask('first').catch(() => undefined);
    const second = ask('second');
    await turn();
    answer('second');
    expect(await second).toBe('answered');
    void ask('another');
    const waiting = ask('third');
    await turn();
    expect([...sent.keys()]).toEqual(['first', 'second', 'another']);
    return { waiting, answer, timeOut, later };
  }

  it('refuses those that wait also if the database has answered others right after it was sent', async () => {
    const { waiting, timeOut, later } = await answeredSince();
    later(5_000);
    timeOut('first');
    expect(await waiting).toBe('unavailable');
  });

  it('refuses nobody else if the database has just answered others', async () => {
    const { waiting, answer, timeOut } = await answeredSince();
    timeOut('first');
    await turn();
    answer('third');
    expect(await waiting).toBe('answered');
  });
});
