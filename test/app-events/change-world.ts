import { waitingChanges } from '../../src/features/triggers/changes/waiting-changes.js';
import { fromPublicId, toPublicId } from '../../src/platform/ids/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { EventWorld, type Source } from './event-world.js';

/** An event as one webhook receives it. */
export interface ToldChange {
  type: string;
  status: string;
  config: object;
}

/** An account with a connection that many triggers depend on, and webhooks. No worker runs. */
export class ChangeWorld {
  private constructor(
    readonly events: EventWorld,
    readonly source: Source,
    private readonly account: string,
  ) {}

  static async open(): Promise<ChangeWorld> {
    const events = await EventWorld.open({ ALLOW_PRIVATE_NETWORK: 'true' });
    const source = await events.connect('unsigned');
    await events.server.db.query(`ALTER TABLE webhook_events ADD COLUMN recorded bigserial`);
    const [row] = await events.server.db.query<{ account: string }>(`SELECT account_id AS account FROM integrations`);
    return new ChangeWorld(events, source, row!.account);
  }

  close(): Promise<void> {
    return this.events.close();
  }

  /** Deletes everything but the connection, and connects it. */
  async reset(): Promise<void> {
    for (const table of ['trigger_change_fan_outs', 'webhook_deliveries', 'webhook_events', 'webhooks', 'triggers'])
      await this.sql(`DELETE FROM ${table}`);
    await this.log(true);
    await this.reconnect();
  }

  readonly sql = (text: string, values: unknown[] = []): Promise<any[]> => this.events.server.db.query(text, values);

  /** Switches the account's log of events on or off. */
  async log(isOn: boolean): Promise<void> {
    await this.sql(`UPDATE accounts SET event_log = $1`, [isOn]);
  }

  /** Works off the next batch of waiting changes. */
  readonly batch = (): Promise<boolean> => this.changes().batch(this.account);

  /** The waiting changes of an account that may be full. */
  changes(isFull = () => Promise.resolve(false)) {
    return waitingChanges(this.events.server.db, createLogger('silent'), isFull);
  }

  /** The bytes that are counted for the account during `work`. */
  async counted(work: () => Promise<unknown>): Promise<number> {
    const { db } = this.events.server;
    const { onStored } = db;
    let sum = 0;
    db.onStored = (account, bytes) => {
      if (account === this.account) sum += bytes;
    };
    await work().finally(() => (db.onStored = onStored));
    return sum;
  }

  /** The bytes of the texts of all events about triggers, in the log or for webhooks. */
  async texts(table: 'event_arrivals' | 'webhook_events'): Promise<number> {
    const [row] = await this.sql(
      `SELECT coalesce(sum(octet_length(body) + coalesce(octet_length(tail), 0)), 0)::integer AS n FROM ${table}
       WHERE body LIKE '{"type":"trigger.%'`,
    );
    return row.n;
  }

  async count(table: string): Promise<number> {
    return (await this.sql(`SELECT count(*) AS n FROM ${table}`))[0].n;
  }

  async disconnect(): Promise<void> {
    await this.expect(200, 'POST', `/integrations/${this.source.id}/disconnect`);
  }

  async reconnect(): Promise<void> {
    const credentials = { api_key: 'sandbox_valid_key' };
    await this.expect(200, 'POST', `/integrations/${this.source.id}/reconnect`, { credentials });
  }

  /** Sends a request. @returns the body. */
  async expect(status: number, method: string, path: string, body?: object): Promise<any> {
    const answer = await this.events.client.rest(method, path, body && { body });
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Registers a webhook for changes of triggers. @returns the id. */
  async webhook(more: object = {}): Promise<string> {
    const events = ['trigger.updated', 'trigger.deleted'];
    return (await this.expect(201, 'POST', '/webhooks', { url: 'http://127.0.0.1:9/', events, ...more })).id;
  }

  /** Creates this many triggers of the connection in ten workflows. @returns the ids, ascending. */
  async triggers(count: number): Promise<string[]> {
    const flows = await Promise.all(Array.from({ length: 10 }, () => this.events.workflow()));
    const config = { event: 'thing.made', integration_id: this.source.id };
    await this.events.trigger(config, { workflowId: flows[0]! });
    await this.sql(
      `INSERT INTO triggers (id, account_id, workflow_id, type, config, status, event, integration_id, created_at)
       SELECT gen_random_uuid(), account_id, ($2::uuid[])[1 + n % 10], type, config, status, event, integration_id, created_at
       FROM triggers, generate_series(2, $1::int) n`,
      [count, flows.map((id) => fromPublicId('wf', id))],
    );
    const rows = await this.sql(`SELECT id FROM triggers ORDER BY id`);
    return rows.map(({ id }) => toPublicId('trg', id));
  }

  /** The triggers that still wait in each change. */
  async waiting(): Promise<number[]> {
    const rows = await this.sql(`SELECT cardinality(triggers) AS n FROM trigger_change_fan_outs ORDER BY id`);
    return rows.map(({ n }) => n);
  }

  /** The numbers of deliveries that each transaction has recorded, in their order. */
  async perTransaction(): Promise<number[]> {
    const rows = await this.sql(
      `SELECT count(*) AS n FROM webhook_deliveries GROUP BY xmin::text ORDER BY xmin::text::bigint`,
    );
    return rows.map(({ n }) => n);
  }

  /** The events of each trigger for one webhook, in the order of their records. */
  async told(webhook: string): Promise<Map<string, ToldChange[]>> {
    const rows = await this.sql(
      `SELECT e.body FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
       WHERE d.webhook_id = $1 ORDER BY e.recorded`,
      [fromPublicId('wh', webhook)],
    );
    const told = new Map<string, ToldChange[]>();
    for (const { body } of rows) {
      const { type, data } = JSON.parse(body);
      const { id, status, config } = data;
      told.set(id, [...(told.get(id) ?? []), { type, status, config }]);
    }
    return told;
  }

  /** The different series of statuses that the triggers' events show to one webhook. */
  async series(webhook: string): Promise<string[]> {
    const told = [...(await this.told(webhook)).values()];
    return [...new Set(told.map((changes) => changes.map(({ status }) => status).join(' ')))];
  }
}
