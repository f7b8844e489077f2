import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Answerers } from '../../faults/support/answerers.js';
import { hookedWorkflow } from '../../faults/support/hooked-workflow.js';
import { Observer } from '../../faults/support/observer.js';
import { RepeatingClient } from '../../faults/support/repeating-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { Client } from '../../support/http/client.js';
import { freePort } from '../../support/http/free-port.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { decideAtSandbox } from '../connection-world.js';

/** How runs of one kind wait, and how their waits are answered. */
interface Way {
  actions: (answerers: Answerers) => object[];
  answer: (client: Client, key: string, given: any) => Promise<number>;
}

const CALLBACK: Way = {
  actions: (answerers) => [
    answerers.call('first', { key: '{{ trigger.body }}', url: '{{ waits.paid.url }}' }),
    { name: 'paid', kind: 'wait_for_callback', config: {} },
    answerers.call('last', { key: '{{ steps.paid.body }}' }),
  ],
  answer: async (client, key, { url }) =>
    (await client.send('POST', new URL(url).pathname, { body: JSON.stringify(key) })).status,
};

const actionsOf =
  (type: string): Way['actions'] =>
  (answerers) => [
    answerers.call('first', { key: '{{ trigger.body }}' }),
    { name: 'user', kind: 'wait_for_connection', config: { type, reference: '{{ trigger.body }}' } },
    answerers.call('last', { key: '{{ trigger.body }}', used: '{{ steps.user.integration_id }}' }),
  ];

const API_KEY: Way = {
  actions: actionsOf('sandbox_api_key'),
  answer: async (client, key) => {
    const body = { type: 'sandbox_api_key', reference: key, credentials: { api_key: 'sandbox_valid_key' } };
    const headers = { 'idempotency-key': `connect-${key}` };
    return (await client.rest('POST', '/integrations/connect', { body, headers })).status;
  },
};

/** A person at the consent page. If the callback is lost, or the flow fails with its process, the person starts again. */
const OAUTH: Way = {
  actions: actionsOf('sandbox_oauth'),
  answer: async (client, key) => {
    const body = { type: 'sandbox_oauth', reference: key };
    const started = await client.rest('POST', '/integrations/connect', { body });
    if (started.status !== 200) return started.status;
    const callback = await decideAtSandbox(started.body.redirect_url as string);
    return (await fetch(callback, { redirect: 'manual' })).status === 200 ? 200 : 503;
  },
};

/** Of the connections each tenth is made by OAuth. */
const WAYS: Record<'callback' | 'connection', (number: number) => Way> = {
  callback: () => CALLBACK,
  connection: (number) => (number % 10 === 0 ? OAUTH : API_KEY),
};

/**
 * The most runs that are open at a time. A new one begins when an earlier one has ended, so that the times are those of a
 * service that keeps up, on any machine.
 */
const OPEN = 100;

function shares(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))]!);
  return `${at(0.5)} ms (p50), ${at(0.99)} ms (p99)`;
}

/**
 * Many runs wait, and their answers come at random moments from a second before to a second after. An api process and a
 * worker are killed in between.
 */
export function answerAtScale(kind: keyof typeof WAYS, count: number): void {
  const keys = Array.from({ length: count }, (_, number) => `user-${number}`);
  const wayOf = (key: string) => WAYS[kind](Number(key.slice('user-'.length)));

  describe(`${count} runs that wait for a ${kind}, while an api process and a worker are killed with -9`, () => {
    let database: TestDatabase;
    let sql: Observer;
    let answerers: Answerers;
    let services: ServiceProcess[] = [];

    beforeAll(async () => {
      database = await createTestDatabase();
      sql = await Observer.open(database.url);
      const port = String(await freePort());
      const shared = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
        ALLOW_PRIVATE_NETWORK: 'true',
        BASE_URL: `http://localhost:${port}`,
      };
      const envs = [
        { ...shared, PORT: port, ROLES: 'api' },
        { ...shared, PORT: String(await freePort()), ROLES: 'worker' },
        { ...shared, PORT: String(await freePort()), ROLES: 'worker' },
      ];
      services = await Promise.all(envs.map((env) => ServiceProcess.start(env)));
      const client = new Client(shared.BASE_URL, await sql.key());
      answerers = await Answerers.start((key, given) => wayOf(key).answer(client, key, given));
      const writers = new Map<Way, RepeatingClient>();
      for (const way of new Set(keys.map(wayOf))) {
        const hook = await hookedWorkflow(client, way.actions(answerers), { dedupe_header: 'X-Delivery' });
        writers.set(way, new RepeatingClient(client.baseUrl, client.key!, hook));
      }
      const rest = keys.values();
      const lanes = Array.from({ length: OPEN }, async () => {
        for (const key of rest) {
          await writers.get(wayOf(key))!.write('run', key);
          await answerers.end(key);
        }
      });
      for (const [victim, part] of [
        [1, 0.25],
        [0, 0.5],
      ] as const) {
        await answerers.reach(part * count);
        await services[victim]!.kill();
        services[victim] = await ServiceProcess.start(envs[victim]!);
      }
      await answerers.reach(count);
      await Promise.all(lanes);
      await until(async () => (await sql.rows(`SELECT 1 FROM runs WHERE finished_at IS NULL LIMIT 1`)).length === 0);
    });
    afterAll(async () => {
      await Promise.all(services.map((service) => service.kill()));
      answerers?.close();
      await sql.close();
      await database.drop();
    });

    it('continues each, none hangs', async () => {
      expect(answerers.faults).toEqual([]);
      const ended = await sql.rows(`SELECT status, count(*)::int AS total FROM runs GROUP BY status`);
      expect(ended).toEqual([{ status: 'succeeded', total: count }]);
      expect(answerers.continued.size).toBe(count);
    });

    it('continues each exactly once: no step that had succeeded was executed again', async () => {
      const waits = await sql.rows(`SELECT status, count(*)::int AS total FROM waits GROUP BY status`);
      // A connection that is there already needs no wait.
      expect(waits.every(({ status }) => status === 'answered')).toBe(true);
      const steps = await sql.rows(`SELECT status, count(*)::int AS total FROM steps GROUP BY status`);
      expect(steps).toEqual([{ status: 'succeeded', total: 3 * count }]);
      const jobs = await sql.rows(
        `SELECT wait_id FROM wait_changes WHERE status = 'answered' GROUP BY wait_id HAVING count(*) > 1`,
      );
      expect(jobs).toEqual([]);
    });

    if (kind === 'connection')
      it('has a connection of each end user, each tenth by OAuth', async () => {
        const made = await sql.rows(
          `SELECT type, count(DISTINCT reference)::int AS total FROM integrations
           WHERE status = 'connected' GROUP BY type ORDER BY type`,
        );
        const byOAuth = keys.filter((key) => wayOf(key) === OAUTH).length;
        expect(made).toEqual([
          { type: 'sandbox_api_key', total: count - byOAuth },
          { type: 'sandbox_oauth', total: byOAuth },
        ]);
      });

    it('numbers the changes without gaps', async () => {
      const [log] = await sql.rows(
        `SELECT count(*)::int AS total, coalesce(max(position), 0)::int AS last,
           (SELECT coalesce(sum(position), 0)::int FROM wait_counters) AS counted,
           (SELECT coalesce(sum(pending), 0)::int FROM wait_counters) AS pending FROM wait_changes`,
      );
      expect(log).toEqual({ total: log!.last, last: log!.last, counted: log!.last, pending: 0 });
    });

    it('measures the time from the answer to the next step', async () => {
      const [found] = await sql.rows(
        `SELECT count(*)::int AS total, percentile_disc(ARRAY[0.5, 0.99]) WITHIN GROUP (
             ORDER BY extract(epoch FROM s.started_at - w.answered_at) * 1000) AS milliseconds
         FROM waits w JOIN steps s ON s.run_id = w.run_id AND s.index = 2 WHERE w.answered_at > w.created_at`,
      );
      const [half, most] = found!.milliseconds.map(Number);
      console.info(
        `${kind}: ${found!.total} answers after the wait began, next step after ${half} ms (p50), ${most} ms (p99)
requests of answers: ${shares(answerers.taking)}; from their responses to the next step: ${shares(answerers.continuing)}`,
      );
      expect(found!.total).toBeGreaterThan(0);
    });
  });
}
