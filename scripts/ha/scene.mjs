import { setTimeout as sleep } from 'node:timers/promises';
import { lostChanges, seenBetween } from './judge.ts';
import { Changes, Hooks, Listeners } from './load.mjs';
import { client, HTTP_PORT } from './product.mjs';
import { until } from './processes.mjs';

const RATE = 200;
const SCHEDULES = 100;
const [WIDE, SINGLE] = [40, 160];

/** The load: hooks, schedules, connections that change, and subscribers that resume. */
export class Load {
  static async start(key) {
    const api = client(key);
    const paths = [];
    for (let count = 0; count < 20; count += 1) {
      const { id } = await api('/workflows', { body: { name: `Hook ${count}`, status: 'active' } });
      const trigger = await api('/triggers', { body: { workflow_id: id, type: 'webhook' } });
      paths.push(new URL(trigger.webhook_url).pathname);
    }
    const { id: ticking } = await api('/workflows', { body: { name: 'Ticks', status: 'active' } });
    const config = { cron: '* * * * *', timezone: 'UTC' };
    for (let count = 0; count < SCHEDULES; count += 1) {
      await api('/triggers', { body: { workflow_id: ticking, type: 'schedule', config } });
    }
    const ids = [];
    for (let count = 0; count < 20; count += 1) {
      const body = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
      ids.push((await api('/integrations/connect', { body })).id);
    }
    const load = new Load();
    load.listeners = new Listeners({ ports: [HTTP_PORT], key, integrationIds: ids, wide: WIDE, each: SINGLE });
    await load.listeners.open();
    await until('the subscribers', async () => load.listeners.all.every(({ live }) => live), 60_000);
    await sleep(1_000);
    load.hooks = new Hooks({ ports: [HTTP_PORT], paths, rate: RATE });
    load.changes = new Changes({ key, ids, everyMs: 400 });
    load.hooks.start();
    load.changes.start();
    await sleep(5_000);
    return load;
  }

  async stop() {
    await this.hooks.stop();
    await this.changes.stop();
  }

  abandon() {
    clearInterval(this.hooks?.timer);
    clearInterval(this.changes?.timer);
    this.listeners?.close();
  }

  /** What the clients saw between two times. */
  between(from, to) {
    return seenBetween(this.hooks.answers, this.changes.answers, from, to);
  }

  /** Compares what was acknowledged and what the clients heard with the database. */
  async verdict(db) {
    const { toPublicId } = await import('../../dist/src/platform/ids/ids.js');
    const number = async (text, values) => Number((await db.query(text, values)).rows[0].count);
    const open = `SELECT count(*) FROM runs WHERE status IN ('queued', 'running')`;
    await until('the end of all runs', async () => (await number(open)) === 0, 180_000, 1_000);
    await sleep(3_000);
    const acknowledged = this.hooks.answers.filter(({ status }) => status === 202);
    const posts = await db.query(
      `SELECT input ->> 'n' AS n, count(*)::int FROM runs WHERE trigger_type = 'webhook' GROUP BY 1`,
    );
    const stored = new Map(posts.rows.map(({ n, count }) => [Number(n), count]));
    const ticks = `SELECT count(*) FROM (
      SELECT 1 FROM runs WHERE trigger_type = 'schedule' GROUP BY trigger_id, scheduled_for HAVING count(*) > 1) doubled`;
    const { rows: log } = await db.query(
      `SELECT id, integration_id, version, status FROM integration_changes ORDER BY account_id, position`,
    );
    const changes = log.map(({ id, integration_id: integration, version, status }) => ({
      change: toPublicId('chg', id),
      integration: toPublicId('int', integration),
      version,
      status,
    }));
    return {
      'hooks sent': this.hooks.sent,
      'hooks acknowledged': acknowledged.length,
      'acknowledged hooks lost': acknowledged.filter(({ n }) => !stored.has(n)).length,
      'hooks with two runs': [...stored.values()].filter((count) => count > 1).length,
      ticks: await number(`SELECT count(*) FROM runs WHERE trigger_type = 'schedule'`),
      'ticks doubled': await number(ticks),
      'changes acknowledged': this.changes.done,
      'acknowledged changes lost': lostChanges(this.changes.acknowledged, changes),
      ...this.listeners.judge(changes),
    };
  }
}
