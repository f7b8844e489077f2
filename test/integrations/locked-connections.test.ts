import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimRenewal, readTokens } from '../../src/features/integrations/tokens/renewal-claims.js';
import { fromPublicId, newUuid } from '../../src/platform/ids/ids.js';
import { NoticeWorld } from './notice-world.js';
import { type IntegrationWorld } from './world.js';

const DAY = 86_400_000;
/** More than one query of a job reads. */
const MANY = 120;

describe('connections that an account keeps locked', () => {
  let notices: NoticeWorld;
  let world: IntegrationWorld;
  beforeAll(async () => {
    notices = await NoticeWorld.open();
    world = notices.world;
  });
  afterAll(() => notices.close());

  it('keep no connection of another account from its end and its mail', async () => {
    const { db } = world.server;
    const [mine, other] = [await notices.connect(30), await notices.connect(30.5)].map((id) => fromPublicId('int', id));
    await world.server.key('read-write', 'b');
    await db.query(`UPDATE integrations SET account_id = (SELECT id FROM accounts WHERE name = 'b') WHERE id = $1`, [
      other,
    ]);
    await db.query(
      `INSERT INTO integrations SELECT (jsonb_populate_record(i, jsonb_build_object(
         'id', gen_random_uuid(), 'events_digest', '\\x' || md5(random()::text)))).*
       FROM integrations i, generate_series(2, ${MANY}) WHERE i.id = $1`,
      [mine],
    );
    const mineOf = `FROM integrations WHERE account_id = (SELECT account_id FROM integrations WHERE id = $1)`;
    await db.query(`UPDATE integrations SET unmailed_break = 1 WHERE id IN (SELECT id ${mineOf})`, [mine]);
    await notices.advance(31 * DAY);
    await db.transaction(async (tx) => {
      await tx.query(`SELECT 1 ${mineOf} FOR UPDATE`, [mine]);
      await notices.expire();
      await notices.sweep();
    });
    const states = await db.query(
      `SELECT a.name, i.status, count(*)::int AS n FROM integrations i JOIN accounts a ON a.id = i.account_id
       GROUP BY 1, 2 ORDER BY 1`,
    );
    expect(states).toEqual([
      { name: 'b', status: 'expired', n: 1 },
      { name: 'default', status: 'connected', n: MANY },
    ]);
    expect(await notices.subjects()).toHaveLength(1);
  });

  it('keep no call waiting for the right to renew their tokens', async () => {
    const { db } = world.server;
    const id = fromPublicId('int', await notices.connect(30, { refresh: true }))!;
    const seen = await readTokens(db, id);
    const claim = () => claimRenewal(db, newUuid(new Date()), seen);
    await db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM integrations WHERE id = $1 FOR UPDATE', [id]);
      expect(await db.outsideUnitOfWork(claim)).toBeUndefined();
    });
    expect(await claim()).toMatchObject({ tookOver: false });
  });
});
