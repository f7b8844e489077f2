import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { strike } from '../../bench/neighbours/attack.js';
import { Attacker } from '../../bench/neighbours/attacker.js';
import { attacks } from '../../bench/neighbours/attacks/index.js';
import { Neighbour } from '../../bench/neighbours/neighbour.js';
import { Watch } from '../../bench/neighbours/watch.js';
import { makeAccount, makeKey } from '../../bench/seed.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { ServiceProcess } from '../support/service-process.js';

const ATTACK_MS = 500;
/** The part of the rows, sockets and triggers that an attack of the bench begins with. */
const SIZE = 1 / 20;
/** So many attacks meet the same process, one after the other. */
const A_PROCESS = 6;
const MOST_BYTES = 700 * 2 ** 20;

/** `npm run bench -- --only neighbours` measures the same for longer, with the times. */
describe('beside accounts that do their worst, another', () => {
  let database: TestDatabase;
  let db: pg.Client;
  let port: number;
  let service: ServiceProcess;
  let neighbour: Neighbour;
  let isAlive = false;
  let met = 0;

  const start = async (): Promise<void> => {
    port = await freePort();
    service = await ServiceProcess.start({
      PORT: String(port),
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      RATE_LIMITS: 'on',
      DRAIN_DELAY: '0',
      ALLOW_PRIVATE_NETWORK: 'true',
    });
    isAlive = true;
    const { ended } = service;
    void ended.then(() => (isAlive = false));
    neighbour = await Neighbour.open(port, await makeAccount(db, `neighbour ${randomUUID()}`));
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    db = new pg.Client(database.url);
    await db.connect();
  });
  const end = async (): Promise<void> => {
    neighbour.close();
    await service.kill();
  };
  beforeEach(async () => {
    if (met % A_PROCESS === 0 && met > 0) await end();
    if (!isAlive) await start();
    met += 1;
  });
  afterAll(async () => {
    await end();
    await db.end();
    await database.drop();
  });

  it.each(attacks.map((attack) => [attack.name, attack] as const))('is never refused: %s', async (_, attack) => {
    const { uuid, key } = await makeAccount(db, `attacker ${randomUUID()}`);
    const side = { port, accountUuid: uuid, key, readKey: await makeKey(db, uuid, 'read-only') };
    const own = new pg.Client(database.url);
    await own.connect();
    const attacker = new Attacker(side, own, SIZE);
    const watch = new Watch(service.pid);
    try {
      const stroke = await attack.begin(attacker);
      neighbour.start();
      await strike(attack, stroke, ATTACK_MS);
      const { list, hook, run } = await neighbour.stop();
      expect(neighbour.errors.splice(0)).toEqual([]);
      expect(Math.min(list.length, hook.length, run.length)).toBeGreaterThan(0);
      expect(watch.peak).toBeLessThanOrEqual(MOST_BYTES);
      expect(isAlive).toBe(true);
    } finally {
      watch.stop();
      await attacker.close();
      await own.end();
    }
  });

  it('is beside every attack that there is a file of', async () => {
    const folder = new URL('../../bench/neighbours/attacks/', import.meta.url);
    const index = await readFile(new URL('index.ts', folder), 'utf8');
    const all = await readdir(folder, { recursive: true });
    const files = all.filter((file) => file.endsWith('.ts') && file !== 'index.ts');
    expect(files.filter((file) => !index.includes(`./${file.replace('.ts', '.js')}'`))).toEqual([]);
    expect(attacks).toHaveLength(files.length);
  });
});
