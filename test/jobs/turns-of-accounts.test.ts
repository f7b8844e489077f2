import { endAuthorizations } from '../../src/features/integrations/integration.job.js';
import { resumeRunsJob } from '../../src/features/runs/waiting-runs.job.js';
import { createOutbound } from '../../src/platform/http/outbound/outbound.js';
import { fromPublicId } from '../../src/platform/ids/ids.js';
import { PausingProcess } from '../faults/support/pausing-process.js';
import { NoticeWorld } from '../integrations/notice-world.js';
import { type IntegrationWorld } from '../integrations/world.js';
import { Client } from '../support/http/client.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { fill } from '../support/database/fill.js';

const DAY = 86_400_000;
/** More than one query of a job reads. */
const MANY = 120;
const OTHER = `(SELECT id FROM accounts WHERE name = 'b')`;

describe('a job with much work of one account and a little, due later, of another', () => {
  let notices: NoticeWorld;
  let world: IntegrationWorld;
  beforeAll(async () => {
    notices = await NoticeWorld.open();
    world = notices.world;
    await world.server.key('read-write', 'b');
  });
  beforeEach(() => notices.reset());
  afterAll(() => notices.close());

  /** Many connections of one account, and one of another that expires half a day later. @returns the other's uuid. */
  async function connections(): Promise<string> {
    const { db } = world.server;
    const [mine, other] = [await notices.connect(30), await notices.connect(30.5)].map((id) => fromPublicId('int', id));
    await db.query(`UPDATE integrations SET account_id = ${OTHER} WHERE id = $1`, [other]);
    await db.query(
      `INSERT INTO integrations SELECT (jsonb_populate_record(i, jsonb_build_object(
         'id', lpad(n::text, 32, '0')::uuid, 'events_digest', '\\x' || md5(random()::text)))).*
       FROM integrations i, generate_series(1, ${MANY}) n WHERE i.id = $1`,
      [mine],
    );
    await notices.advance(31 * DAY);
    return other!;
  }

  /** The place of an integration among those that a job has changed, each in its own transaction. */
  async function placeOf(integration: string, reason: string): Promise<number> {
    const changed = await world.server.db.query<{ id: string }>(
      `SELECT integration_id AS id FROM integration_changes WHERE reason = $1 ORDER BY xmin::text::bigint`,
      [reason],
    );
    expect(changed.length).toBeGreaterThan(MANY);
    return changed.findIndex(({ id }) => id === integration);
  }

  it('expires connections in turns', async () => {
    const other = await connections();
    await notices.expire();
    expect(await placeOf(other, 'token_expired')).toBeLessThan(2);
  });

  it('mails about broken connections in turns', async () => {
    const other = await connections();
    await notices.expire();
    await notices.sweep();
    const mails = await notices.mails();
    expect(mails.length).toBeGreaterThan(MANY);
    // Two processes send at the same time.
    expect(mails.findIndex(({ key }) => key.includes(other))).toBeLessThan(4);
  });

  it('ends flows in turns, all of them', async () => {
    const client = new Client(world.server.baseUrl, await world.server.key('read-write', 'b'));
    for (let flow = 0; flow < MANY; flow += 1) await world.start();
    const { id } = await world.start('oauth_app', {}, client);
    const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    const { flows } = new PausingProcess(world.server, world.provider.url, outbound);
    await notices.advance(660_000);
    await endAuthorizations({ db: world.server.db, flows });
    await outbound.close();
    expect(await placeOf(fromPublicId('int', id)!, 'authorization_timed_out')).toBeLessThan(2);
  });
});

describe('the runs of an account that continue at the same time', () => {
  let world: TriggerWorld;
  beforeAll(async () => {
    world = await TriggerWorld.open();
  });
  afterAll(() => world.close());

  it.each([
    ['before it', 600, 1, 0],
    ['long before it', 11_000, 1, 0],
    ['after it', 11_000, -1, 0],
    ['before and after it', 11_000, 1, 2],
  ])('delay no run of another account that continues, if many do %s', async (_, runs, seconds, span) => {
    const { db, queue, clock } = world;
    await db.query(`DELETE FROM runs`);
    const at = new Date(clock.now().getTime() - 60_000);
    const started = async (account: typeof world.context): Promise<string> => {
      const run = await world.run(await world.trigger({}, account), { status: 'running', at });
      await db.query(`UPDATE runs SET started_at = $2, resume_at = $2, version = 2 WHERE id = $1`, [run, at]);
      return run;
    };
    const mine = await started(world.context);
    await fill(
      world.url,
      `INSERT INTO runs SELECT (jsonb_populate_record(r, jsonb_build_object(
         'id', uuid_at($2), 'resume_at', $2::timestamptz + n % 2 * $4::int * interval '1 s'))).*
       FROM runs r, generate_series(2, $3::int) n WHERE r.id = $1`,
      [mine, at, runs, span],
    );
    const other = await started(world.stranger);
    await db.query(`UPDATE runs SET resume_at = resume_at + $2 * interval '1 s' WHERE id = $1`, [other, seconds]);

    const added: string[][] = [];
    const add: typeof queue.add = (tx, jobs) => {
      added.push(jobs.map(({ uuid }) => uuid));
      return queue.add(tx, jobs);
    };
    await resumeRunsJob({ db, queue: Object.assign(Object.create(queue) as typeof queue, { add }) }).run();
    expect(added[0]).toContain(other);
    expect(added.flat()).toHaveLength(runs + 1);
  });
});
