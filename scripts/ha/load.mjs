// Clients of the product: hook posts at a fixed rate, subscribers that resume, connections that change, and probes of /readyz.
import { Agent, request } from 'node:http';
import WebSocket from 'ws';
import { client } from './product.mjs';

const now = () => Date.now();

function post(agent, port, path, body, timeoutMs) {
  return new Promise((resolve) => {
    const started = now();
    const end = (status, text) => resolve({ status, text, started, ms: now() - started });
    const call = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => end(response.statusCode, Buffer.concat(chunks).toString()));
        response.on('error', (error) => end(error.code ?? 'error', error.message));
      },
    );
    call.setTimeout(timeoutMs, () => call.destroy(Object.assign(new Error('timeout'), { code: 'CLIENT_TIMEOUT' })));
    call.on('error', (error) => end(error.code ?? 'error', error.message));
    call.end(body);
  });
}

/** Posts at `rate` a second, to the ports in turn, never twice the same. Each answer is noted. */
export class Hooks {
  constructor({ ports, paths, rate }) {
    Object.assign(this, { ports, paths, rate });
    this.agent = new Agent({ keepAlive: true, maxSockets: 2_000 });
    this.answers = [];
    this.sent = 0;
    this.open = new Set();
  }
  start() {
    const begun = now();
    this.timer = setInterval(() => {
      const due = Math.floor(((now() - begun) / 1_000) * this.rate);
      while (this.sent < due) this.one(this.sent++);
    }, 10);
  }
  one(n) {
    const port = this.ports[n % this.ports.length];
    const work = post(this.agent, port, this.paths[n % this.paths.length], JSON.stringify({ n }), 20_000).then(
      ({ status, text, started, ms }) => {
        let runId, code;
        try {
          ({ run_id: runId, code } = JSON.parse(text));
        } catch {
          code = text.slice(0, 80);
        }
        this.answers.push({ n, port, status, runId, code, started, ms });
        this.open.delete(work);
      },
    );
    this.open.add(work);
  }
  async stop() {
    clearInterval(this.timer);
    await Promise.all(this.open);
    this.agent.destroy();
  }
}

/** A listener that, when its socket is lost, comes back and resumes where it was, as the README says. */
class Listener {
  constructor(name, port, key, integrationId) {
    Object.assign(this, { name, port, key, integrationId });
    this.heard = [];
    this.closes = [];
    this.errors = [];
    this.closed = false;
  }
  open() {
    if (this.closed) return;
    const socket = (this.socket = new WebSocket(`ws://127.0.0.1:${this.port}/graphql`, 'graphql-transport-ws', {
      perMessageDeflate: false,
    }));
    const last = this.heard.at(-1);
    const args = [
      ...(this.integrationId ? [`integrationId: "${this.integrationId}"`] : []),
      ...(last && this.integrationId ? [`afterVersion: ${last.version}`] : []),
      ...(last && !this.integrationId ? [`after: "${last.change}"`] : []),
    ];
    const query = `subscription { integrationStatusChanged${args.length ? `(${args.join(', ')})` : ''} { id version status integration { id } } }`;
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${this.key}` } })),
    );
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString());
      if (message.type === 'connection_ack') {
        this.live = true;
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      } else if (message.type === 'ping') socket.send('{"type":"pong"}');
      else if (message.type === 'next' && message.payload.data?.integrationStatusChanged) {
        const { id, version, integration } = message.payload.data.integrationStatusChanged;
        this.heard.push({ change: id, version, integration: integration.id, at: now() });
      } else if (message.type !== 'pong') {
        this.errors.push({ at: now(), text: data.toString().slice(0, 300) });
        socket.close(4000);
      }
    });
    socket.on('close', (code) => {
      this.live = false;
      if (!this.closed) {
        this.closes.push({ code, at: now() });
        setTimeout(() => this.open(), 500);
      }
    });
    socket.on('error', () => undefined);
  }
  close() {
    this.closed = true;
    this.socket?.terminate();
  }
}

export class Listeners {
  constructor({ ports, key, integrationIds, wide, each }) {
    this.all = [];
    for (let i = 0; i < wide; i += 1) this.all.push(new Listener(`wide${i}`, ports[i % ports.length], key));
    for (let i = 0; i < each; i += 1)
      this.all.push(new Listener(`one${i}`, ports[i % ports.length], key, integrationIds[i % integrationIds.length]));
  }
  async open() {
    for (const one of this.all) {
      one.open();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  close() {
    this.all.forEach((one) => one.close());
  }

  /**
   * Compares what each subscriber heard with the changes of the database, `{ change, integration }` in order: everything from
   * the first that it heard.
   */
  judge(changes) {
    const told = { missed: 0, doubled: 0, disordered: 0, heard: 0 };
    for (const { heard, integrationId } of this.all) {
      const relevant = changes.filter(({ integration }) => !integrationId || integration === integrationId);
      const place = new Map(relevant.map(({ change }, index) => [change, index]));
      const ids = heard.map(({ change }) => change);
      const set = new Set(ids);
      const due = relevant.slice(ids.length === 0 ? 0 : place.get(ids[0]));
      told.heard += ids.length;
      told.missed += due.filter(({ change }) => !set.has(change)).length;
      told.doubled += ids.length - set.size;
      told.disordered += ids.filter((id, index) => index > 0 && place.get(id) < place.get(ids[index - 1])).length;
    }
    return {
      subscribers: this.all.length,
      'changes heard by subscribers': told.heard,
      'changes missed': told.missed,
      'changes doubled': told.doubled,
      'changes out of order': told.disordered,
    };
  }
}

/** Connects and disconnects one integration after the other. Each answer is noted, also that of a question for the state. */
export class Changes {
  constructor({ key, ids, everyMs, port }) {
    Object.assign(this, { ids, everyMs });
    this.api = client(key, port);
    this.answers = [];
    this.acknowledged = [];
    /** Undefined for a connection whose last change failed: it may have been stored all the same. */
    this.connected = new Map(ids.map((id) => [id, true]));
    this.busy = new Set();
  }
  get done() {
    return this.acknowledged.length;
  }
  /** How often which status was the answer, or which error. */
  get failed() {
    const failures = this.answers.filter(({ status }) => status !== 200);
    return Object.fromEntries(
      [...Map.groupBy(failures, ({ status }) => status)].map(([status, list]) => [status, list.length]),
    );
  }
  start() {
    let i = 0;
    this.timer = setInterval(() => {
      const id = this.ids[i++ % this.ids.length];
      if (this.busy.has(id)) return;
      this.busy.add(id);
      void this.change(id).finally(() => this.busy.delete(id));
    }, this.everyMs);
  }
  async change(id) {
    if (this.connected.get(id) === undefined) {
      const found = await this.call(`/integrations/${id}`);
      if (found === undefined) return;
      this.connected.set(id, found.status === 'connected');
    }
    const was = this.connected.get(id);
    const stored = was
      ? await this.call(`/integrations/${id}/disconnect`, { method: 'POST', body: {} })
      : await this.call(`/integrations/${id}/reconnect`, { body: { credentials: { api_key: 'sandbox_valid_key' } } });
    this.connected.set(id, stored && !was);
    if (stored !== undefined)
      this.acknowledged.push({ integration: id, version: stored.version, status: stored.status });
  }
  async call(path, init) {
    const started = now();
    const note = (status, text) => void this.answers.push({ started, ms: now() - started, status, text });
    try {
      const body = await this.api(path, init);
      note(200);
      return body;
    } catch (error) {
      // The application of these connections is the sandbox, which is a part of the service: without its database it refuses the key's check.
      const isSandboxAway = error.status === 502 && error.message.includes('"provider_unavailable"');
      note(isSandboxAway ? 503 : (error.status ?? error.cause?.code ?? error.name), error.message);
    }
  }
  async stop() {
    clearInterval(this.timer);
    while (this.busy.size > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
