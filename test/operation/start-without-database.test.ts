import { untilConnected } from '../../src/platform/db/availability/until-connected.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';
import { until } from '../support/until.js';

describe('a start', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let lines: string[];
  const log = (line: string) => void lines.push(line);

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
  });
  beforeEach(() => {
    proxy.restore();
    lines = [];
  });
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });

  it('goes on at once with a database that is there, without a line', async () => {
    await untilConnected(proxy.url, { log });
    expect(lines).toEqual([]);
  });

  it('waits for a database that is away, says so, and goes on when it is back', async () => {
    proxy.cut();
    const waiting = untilConnected(proxy.url, { log });
    await until(() => lines.length > 0);
    expect(lines).toEqual([expect.stringMatching(/^database: not available yet \(.+\), trying again$/)]);
    proxy.restore();
    await waiting;
  });

  it('ends with a sentence when the database does not come', async () => {
    proxy.cut();
    await expect(untilConnected(proxy.url, { log, patience: 0 })).rejects.toThrow(
      /^The database is not available after 0 s \(.+\): check it and DATABASE_URL\.$/,
    );
  });

  it('ends at once when it is stopped', async () => {
    proxy.cut();
    const stopping = new AbortController();
    const waiting = untilConnected(proxy.url, { log, signal: stopping.signal });
    await until(() => lines.length > 0);
    stopping.abort(new Error('stopped by SIGTERM'));
    await expect(waiting).rejects.toThrow('stopped by SIGTERM');
  });

  it.each([
    ['the database does not exist', (url: URL) => (url.pathname = '/missing_database')],
    ['the role does not exist', (url: URL) => (url.username = 'missing_role')],
  ])('fails at once when %s', async (_what, change) => {
    const url = new URL(database.url);
    change(url);
    await expect(untilConnected(url.href, { log })).rejects.toThrow(/missing_/);
    expect(lines).toEqual([]);
  });

  it('waits while the database is read-only', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    await expect(untilConnected(url.href, { log, patience: 0 })).rejects.toThrow('(it is read-only)');
  });
});
