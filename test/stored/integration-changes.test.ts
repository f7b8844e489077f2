import { newUuid } from '../../src/platform/ids/ids.js';
import { PruneWorld } from './prune-world.js';

const DAY_MS = 86_400_000;

describe('the job that prunes changes of integrations', () => {
  let world: PruneWorld;

  beforeAll(async () => {
    world = await PruneWorld.open();
  });
  afterAll(() => world.close());

  /** Inserts an integration with this many changes, the last of them now and one a day before. */
  async function changed(changes: number): Promise<string> {
    const now = new Date();
    const [account, uuid] = [newUuid(now), newUuid(now)];
    await world.db.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1::uuid, $1::uuid::text, $2)`, [
      account,
      now,
    ]);
    await world.db.query(
      `INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest,
         events_token, events_secret, created_at)
       VALUES ($1::uuid, $2, 'x', 'oauth2', '', 'connected', $3, '{}', decode(md5($1::uuid::text), 'hex'), '', '', $4)`,
      [uuid, account, changes, now],
    );
    await world.db.query(
      `INSERT INTO integration_changes (id, account_id, integration_id, position, version, status, at)
       SELECT gen_random_uuid(), $1, $2, n, n, 'connected', $3::timestamptz - ($4::integer - n) * interval '1 day'
       FROM generate_series(1, $4::integer) n`,
      [account, uuid, now, changes],
    );
    return uuid;
  }

  const versions = async (uuid: string) =>
    (
      await world.db.query<{ version: number }>(
        `SELECT version FROM integration_changes WHERE integration_id = $1 ORDER BY version`,
        [uuid],
      )
    ).map(({ version }) => version);

  it('keeps the latest 100, however old they are', async () => {
    const [short, long] = [await changed(100), await changed(103)];
    await world.prune();
    expect(await versions(short)).toHaveLength(100);
    expect((await versions(long))[0]).toBe(4);
  });

  it('keeps those of the last 30 days, from which a listener may resume', async () => {
    const uuid = await changed(103);
    await world.db.query(`UPDATE integration_changes SET at = $2 WHERE integration_id = $1 AND version > 1`, [
      uuid,
      new Date(Date.now() - 30 * DAY_MS + 60_000),
    ]);
    await world.prune();
    expect(await versions(uuid)).toEqual(Array.from({ length: 102 }, (_, index) => index + 2));
  });
});
