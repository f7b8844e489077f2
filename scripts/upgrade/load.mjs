import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { Changes, Hooks, Listeners } from '../ha/load.mjs';
import { client } from '../ha/product.mjs';
import { until } from '../ha/processes.mjs';

const [RATE, CREATES_MS, CHANGES_MS, SCHEDULES] = [20, 250, 500, 20];

/** Hears how runs end, at one process. It does not resume: it counts only while its process serves. */
class RunListener {
  constructor(port, key) {
    this.ended = new Map();
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    this.socket.on('open', () => this.send({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
    this.socket.on('message', (data) => this.hear(JSON.parse(data.toString())));
    this.socket.on('error', () => undefined);
    this.socket.on('close', (code, reason) => (this.closed ??= `${port}: ${code} ${reason}`));
    this.socket.on('close', (code) => (this.wasCut = code !== 1001 && code !== 1006));
    this.live = new Promise((resolve) => (this.isLive = resolve));
  }
  send(message) {
    this.socket.send(JSON.stringify(message));
  }
  hear({ type, payload }) {
    if (type === 'connection_ack') {
      this.send({
        id: '1',
        type: 'subscribe',
        payload: { query: 'subscription { runStatusChanged { status run { id } } }' },
      });
      this.isLive();
    } else if (type === 'ping') this.send({ type: 'pong' });
    else if (type === 'next') {
      if (payload.errors) return void (this.closed ??= JSON.stringify(payload.errors));
      const { status, run } = payload.data.runStatusChanged;
      if (status === 'SUCCEEDED' || status === 'FAILED') this.ended.set(run.id, (this.ended.get(run.id) ?? 0) + 1);
    } else if (type !== 'pong') this.closed ??= JSON.stringify({ type, payload });
  }
}

/** Hooks with runs that call, creates, connections that change, schedules and subscribers, at all processes of `ports`. */
export class Load {
  static async start({ key, ports, balancerPort, receiverPort }) {
    const load = new Load();
    const api = client(key, balancerPort);
    Object.assign(load, { api, key, ports: [...ports], created: [], refused: {}, runListeners: [] });
    await api('/webhooks', { body: { url: `http://127.0.0.1:${receiverPort}/events`, events: ['run.succeeded'] } });
    const paths = [];
    for (let count = 0; count < 5; count += 1) {
      const { id } = await api('/workflows', { body: { name: `Hook ${count}`, status: 'active' } });
      const config = {
        url: `http://127.0.0.1:${receiverPort}/call`,
        method: 'POST',
        body: { n: '{{ trigger.body.n }}' },
      };
      await api(`/workflows/${id}/actions`, {
        method: 'PUT',
        body: { actions: [{ name: 'call', kind: 'http_request', config }] },
      });
      const trigger = await api('/triggers', { body: { workflow_id: id, type: 'webhook' } });
      paths.push(new URL(trigger.webhook_url).pathname);
    }
    const { id: ticking } = await api('/workflows', { body: { name: 'Ticks', status: 'active' } });
    for (let count = 0; count < SCHEDULES; count += 1) {
      const config = { cron: '* * * * *', timezone: 'UTC' };
      await api('/triggers', { body: { workflow_id: ticking, type: 'schedule', config } });
    }
    const ids = [];
    for (let count = 0; count < 10; count += 1) {
      const body = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
      ids.push((await api('/integrations/connect', { body })).id);
    }
    load.listeners = new Listeners({ ports: load.ports, key, integrationIds: ids, wide: 10, each: 20 });
    await load.listeners.open();
    await until('the subscribers', async () => load.listeners.all.every(({ live }) => live));
    load.hooks = new Hooks({ ports: load.ports, paths, rate: RATE });
    load.changes = new Changes({ key, ids, everyMs: CHANGES_MS, port: balancerPort });
    load.hooks.start();
    load.changes.start();
    load.timer = setInterval(() => load.create(), CREATES_MS);
    return load;
  }

  create() {
    this.api('/workflows', { body: { name: `Created ${this.created.length}` } }).then(
      ({ id }) => this.created.push(id),
      (error) => (this.refused[error.message] = (this.refused[error.message] ?? 0) + 1),
    );
  }

  /** Also sends to this process. Half of the subscribers move there. */
  async join(port) {
    this.ports.push(port);
    for (const listener of this.listeners.all.filter((_, index) => index % 2 === 1)) {
      listener.port = port;
      listener.socket.close(1000);
    }
    await until('the subscribers', async () => this.listeners.all.every(({ live }) => live));
    this.runListeners = this.ports.map((each) => new RunListener(each, this.key));
    await Promise.all(this.runListeners.map(({ live }) => live));
    await sleep(1_000);
    this.mixedFrom = this.hooks.sent;
  }

  /**
   * Sends to the other process only: this one is about to stop. `ended(from, to)`: the ids of the runs of these hooks, once all
   * have ended.
   */
  async leave(port, ended) {
    this.mixedTo = this.hooks.sent;
    // Subscribers of this process must hear the ends of all that ran while both did. A busy machine delays them: each event is
    // a query. What has not come after a minute counts as lost.
    const ids = await until('the end of the runs so far', () => ended(this.mixedFrom, this.mixedTo), 180_000, 500);
    const haveHeard = async () => this.runListeners.every((one) => ids.every((id) => one.ended.has(id)));
    await until('the subscribers of runs', haveHeard, 60_000, 500).catch(() => undefined);
    this.ports.splice(this.ports.indexOf(port), 1);
    for (const listener of this.listeners.all) listener.port = this.ports[0];
    await sleep(1_000);
  }

  async stop() {
    clearInterval(this.timer);
    await this.hooks.stop();
    await this.changes.stop();
  }

  abandon() {
    clearInterval(this.timer);
    clearInterval(this.hooks?.timer);
    clearInterval(this.changes?.timer);
    this.listeners?.close();
    for (const { socket } of this.runListeners ?? []) socket.terminate();
  }
}
