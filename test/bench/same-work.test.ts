import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import pg from 'pg';
import { limitListener } from '../../bench/limit/listener.js';
import { assertSame } from '../../bench/rounds.js';
import { scenarios } from '../../bench/scenarios/index.js';
import { type Seed, seedDatabase } from '../../bench/seed.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { wrongSecret } from '../support/wrong-secret.js';

const SIZES = { large: 20_200, small: 30 };

describe('the limit server of the bench', () => {
  let service: TestServer;
  let limit: Server;
  let pool: pg.Pool;
  let seed: Seed;

  beforeAll(async () => {
    service = await startTestServer();
    seed = await seedDatabase(service.database.url, SIZES);
    pool = new pg.Pool({
      connectionString: service.database.url,
      types: {
        getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
      },
    });
    limit = createServer(limitListener(pool));
    await new Promise<void>((resolve) => limit.listen(0, resolve));
  });

  afterAll(async () => {
    limit.close();
    await pool.end();
    await service.close();
  });

  function portOf(server: string): number {
    return server === 'limit' ? (limit.address() as AddressInfo).port : Number(new URL(service.baseUrl).port);
  }

  it.each(scenarios.map((define, index) => [index, define] as const))(
    'answers scenario %i as the service does, byte for byte but for ids and moments',
    async (_index, define) => {
      await expect(assertSame(portOf, define(seed))).resolves.toBeUndefined();
    },
  );

  it('is caught when it answers anything else', async () => {
    const scenario = scenarios[0]!(seed);
    const other = { ...scenario.contenders.limit!, requests: scenario.contenders.small!.requests };
    const wrong = { ...scenario, contenders: { limit: other, rest: scenario.contenders.rest! } };
    await expect(assertSame(portOf, wrong)).rejects.toThrow('the answers differ');
  });

  it('refuses a key that it does not know', async () => {
    const response = await fetch(`http://127.0.0.1:${portOf('limit')}/v1/workflows`, {
      headers: { authorization: `Bearer ${wrongSecret(seed.large.key)}` },
    });
    expect(response.status).toBe(401);
  });
});
