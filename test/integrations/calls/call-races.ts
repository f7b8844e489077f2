import { Client } from '../../support/http/client.js';
import { type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { type Answer } from '../scripted-provider.js';
import { IntegrationWorld } from '../world.js';

const CALLS = 200;
const WAIT_MS = 2_000;

interface Called {
  status: number;
  retryAfter: string | null;
  body: { status?: number; code?: string };
}

/** Registers the tests: each is repeated `rounds` times, with two processes. */
export function raceCalls(rounds: number): void {
  describe('many calls through one integration', () => {
    let world: IntegrationWorld;
    let second: TestServer;
    let clients: Client[];
    beforeAll(async () => {
      world = await IntegrationWorld.open({ env: { ROLES: 'api' } });
      second = await world.another({ ROLES: 'api' });
      clients = [world.server, second].map(({ url }) => new Client(url, world.client.key));
    });
    beforeEach(() => world.provider.reset());
    afterAll(async () => {
      await second.close();
      await world.close();
    });

    const call = async (process: number, id: string): Promise<Called> => {
      const { status, headers, body } = await clients[process]!.rest('POST', `/integrations/${id}/call`, {
        body: { path: '/api/things' },
      });
      return { status, retryAfter: headers.get('retry-after'), body };
    };
    const repeated = Array.from({ length: rounds }, (_, round) => round + 1);

    it.each(repeated)('renew its token once when it expires in between (round %i)', async () => {
      const id = await world.connected();
      let served = 0;
      world.provider.onCall = async ({ token }): Promise<Answer> => {
        served += 1;
        if (served === CALLS / 4) world.provider.endAccess('alice');
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { status: world.provider.knows(token) ? 200 : 401 };
      };
      const answers = await Promise.all(Array.from({ length: CALLS }, (_, index) => call(index % 2, id)));
      expect(answers.filter(({ status, body }) => status !== 200 || body.status !== 200)).toEqual([]);
      expect(world.provider.requests('refresh_token')).toHaveLength(1);
      expect(await world.get(id)).toMatchObject({ status: 'connected', version: 2 });
    });

    it.each(repeated)('wait as its application asks, and then let one go first (round %i)', async () => {
      const [id, other] = [await world.connected(), await world.connected('bob', 'other_app')];
      const arrivals: { at: number; answered: number }[] = [];
      const decisions = [429, 429, 200];
      let decided = 0;
      world.provider.onCall = async ({ token }): Promise<Answer> => {
        if (token.startsWith('at-bob-')) return { status: 200 };
        const arrival = { at: performance.now(), answered: 0 };
        arrivals.push(arrival);
        // Long enough for others to come meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 300));
        const status = decisions[Math.min(decided++, 2)]!;
        arrival.answered = performance.now();
        return { status, ...(status === 429 && { headers: { 'retry-after': String(WAIT_MS / 1_000) } }) };
      };
      expect((await call(0, id)).body.status).toBe(429);
      let isOver = false;
      const told: Called[] = [];
      const callers = Array.from({ length: 20 }, async (_, index) => {
        for (;;) {
          const answer = await call(index % 2, id);
          if (answer.status === 200 && answer.body.status === 200) return;
          told.push(answer);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      });
      const others = async () => {
        let count = 0;
        while (!isOver) {
          expect((await call(count % 2, other)).body.status).toBe(200);
          count += 1;
        }
        return count;
      };
      const free = others();
      await Promise.all(callers);
      isOver = true;
      const [first, trial, last, ...rest] = arrivals;
      expect(trial!.at - first!.answered).toBeGreaterThanOrEqual(WAIT_MS);
      expect(last!.at - trial!.answered).toBeGreaterThanOrEqual(WAIT_MS);
      // The third decision frees all: none of the others has come before.
      for (const { at } of rest) expect(at).toBeGreaterThanOrEqual(last!.answered);
      const refused = told.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThan(0);
      for (const { body, retryAfter } of refused) {
        expect(body.code).toBe('rate_limited');
        expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
        expect(Number(retryAfter)).toBeLessThanOrEqual(2);
      }
      expect(told.filter(({ status }) => status !== 429)).toEqual([expect.objectContaining({ status: 200 })]);
      expect(await free).toBeGreaterThan(10);
      await until(async () => (await world.get(id)).blocked_until === undefined);
    });
  });
}
