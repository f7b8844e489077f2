import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { Idempotency } from '../../src/features/idempotency/idempotency.service.js';
import { fromPublicId, newUuid } from '../../src/platform/ids/ids.js';
import { endAuthorizations } from '../../src/features/integrations/integration.job.js';
import { MailQueue } from '../../src/platform/mail/mail-queue.js';
import { MailStore } from '../../src/platform/mail/mail-store.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { IntegrationWorld } from '../integrations/world.js';
import { WrongClock } from '../support/clock.js';
import { type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { PausingProcess } from './support/pausing-process.js';

const HOUR = 3_600_000;
/** Longer than any claim. */
const AHEAD = 300_000;

describe('two processes whose clocks are minutes apart', () => {
  let world: IntegrationWorld;
  let wrong: WrongClock;
  let ahead: TestServer;
  let outbound: Outbound;
  let right: PausingProcess;
  let fast: PausingProcess;

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
    wrong = new WrongClock(world.server.clock, AHEAD);
    ahead = await world.another({ ROLES: 'api' }, wrong);
    outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    right = new PausingProcess(world.server, world.provider.url, outbound);
    fast = new PausingProcess(ahead, world.provider.url, outbound);
  });
  beforeEach(async () => {
    world.provider.reset();
    await world.server.db.query('DELETE FROM integrations');
  });
  afterAll(async () => {
    await outbound.close();
    await ahead.close();
    await world.close();
  });

  const refreshes = () => world.provider.requests('refresh_token').length;
  const statusOf = async (id: string) => (await world.client.rest('GET', `/integrations/${id}`)).body.status;

  it('are reported by a log line and a metric', async () => {
    expect(ahead.logs.filter((line) => /"level":"warn".*"clock_ahead_ms":(29|30)\d{4}/.test(line))).toHaveLength(1);
    expect(world.server.logs.filter((line) => /"level":"info".*"clock_ahead_ms":-?\d{1,3},/.test(line))).toHaveLength(
      1,
    );
    const metrics = await (await fetch(`http://localhost:${new URL(ahead.ws()).port}/metrics`)).text();
    expect(metrics).toMatch(/^database_clock_ahead_seconds (29\d|30\d)/m);
  });

  it('renew a token once', async () => {
    const id = await world.connected();
    await world.server.advance(HOUR);
    const answered = Promise.withResolvers<void>();
    world.provider.onToken = async ({ form }) => answered.promise.then(() => world.provider.issue(form));
    const first = right.renewal.token(fromPublicId('int', id)!).then(({ credentials }) => credentials.accessToken);
    await until(() => refreshes() === 1);
    expect(await fast.renewal.renewDue(10)).toBe(0);
    answered.resolve();
    expect(world.provider.knows(await first)).toBe(true);
    expect(refreshes()).toBe(1);
    expect(await statusOf(id)).toBe('connected');
  });

  it('let a callback finish that the other process has claimed', async () => {
    const { id, state } = await world.start();
    const answered = Promise.withResolvers<void>();
    world.provider.onToken = async ({ form }) => answered.promise.then(() => world.provider.issue(form));
    const landing = world.callback({ state, code: 'alice' });
    await until(() => world.provider.requests('authorization_code').length === 1);
    await endAuthorizations({ db: ahead.db, flows: fast.flows });
    answered.resolve();
    expect((await landing).status).toBe(200);
    expect(await statusOf(id)).toBe('connected');
  });

  it('do the work of one Idempotency-Key once', async () => {
    const { db, clock } = world.server;
    const [{ id: accountId }] = (await db.query<{ id: string }>(`SELECT id FROM accounts LIMIT 1`)) as [{ id: string }];
    const secrets = new Secrets([Buffer.alloc(32)]);
    const [one, other] = [new Idempotency(db, clock, secrets), new Idempotency(ahead.db, wrong, secrets)];
    const request = { accountId, key: 'k', path: '/x', body: '' };
    const answer = { status: 200, body: null };
    const late = Promise.withResolvers<typeof answer>();
    const first = one.once(request, () => late.promise);
    await until(async () => (await db.query(`SELECT 1 FROM idempotency_keys`)).length === 1);
    await expect(other.once(request, () => Promise.resolve(answer))).rejects.toMatchObject({
      code: 'idempotency_in_progress',
    });
    late.resolve(answer);
    expect(await first).toEqual({ ...answer, replayed: false });
  });

  it('send a mail once', async () => {
    const { db, clock } = world.server;
    const [{ id: accountId }] = (await db.query<{ id: string }>(`SELECT id FROM accounts LIMIT 1`)) as [{ id: string }];
    const mail = { accountId, to: ['ada@example.com'], subject: '', text: '', key: newUuid(clock.now()) };
    await new MailQueue(clock).add(db, mail);
    expect(await new MailStore(db, clock).claim(10)).toHaveLength(1);
    expect(await new MailStore(ahead.db, wrong).claim(10)).toEqual([]);
  });
});
