import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { start, stop, until } from './processes.mjs';

const root = join(import.meta.dirname, '../..');
export const HTTP_PORT = 6100;
const SETTINGS = {
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  BASE_URL: `http://127.0.0.1:${HTTP_PORT}`,
  RATE_LIMITS: 'off',
};

/** Two api and two worker processes of the service, as built, behind HAProxy. */
export class Product {
  constructor(dir, databaseUrl) {
    Object.assign(this, { dir, env: { ...SETTINGS, DATABASE_URL: databaseUrl }, processes: new Map() });
    this.ports = { api1: 6101, api2: 6102, worker1: 6201, worker2: 6202 };
    /** Processes that ended without being asked to. */
    this.deaths = [];
  }

  async startAll() {
    for (const name of Object.keys(this.ports)) await this.start(name);
    const env = { SERVICE_BIND: `127.0.0.1:${HTTP_PORT}`, API1: '127.0.0.1:6101', API2: '127.0.0.1:6102' };
    const file = join(root, 'deploy/haproxy/service.cfg');
    this.haproxy = start('haproxy', ['-db', '-f', file], { log: `${this.dir}/haproxy-service.log`, env });
    await until('the service', async () => (await fetch(`http://127.0.0.1:${HTTP_PORT}/readyz`)).ok);
  }

  async start(name) {
    const env = { ...this.env, PORT: String(this.ports[name]), ROLES: name.replace(/\d/, '') };
    const running = start(process.execPath, ['dist/src/main.js'], { cwd: root, log: `${this.dir}/${name}.log`, env });
    this.processes.set(name, running);
    void running.ended.then((how) => {
      if (this.processes.get(name) === running && !running.isStopping) this.deaths.push(`${name}: ${how}`);
    });
    await until(
      `${name} is ready`,
      async () => {
        if (!running.alive) throw Object.assign(new Error(`${name} ended while it started`), { fatal: true });
        return (await fetch(`http://127.0.0.1:${this.ports[name]}/readyz`)).ok;
      },
      90_000,
    );
  }

  async stop(name) {
    const running = this.processes.get(name);
    running.isStopping = true;
    await stop(running, 60_000);
  }

  async stopAll() {
    await Promise.all([...this.processes.keys()].map((name) => this.stop(name)));
    await stop(this.haproxy);
  }

  makeKey() {
    const args = ['dist/src/process/cli/keys.js', 'create', '--label', 'ha', '--scope', 'read-write'];
    const env = { PATH: process.env.PATH, ...this.env };
    return execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' }).trim();
  }
}

/** REST calls with a key. The function throws if the response is no success. */
export function client(key, port = HTTP_PORT) {
  return async (path, { method, body } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      signal: AbortSignal.timeout(15_000),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) {
      throw Object.assign(new Error(`${path}: ${response.status} ${text}`), { status: response.status });
    }
    return text === '' ? undefined : JSON.parse(text);
  };
}
