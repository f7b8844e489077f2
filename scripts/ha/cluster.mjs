import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signalAll, start, stop, tree, until } from './processes.mjs';

const root = join(import.meta.dirname, '../..');
const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
const ETCD = 23790;
const PRIMARY = 5500;
const NODES = [1, 2, 3];
const portOf = (n) => PRIMARY + n;
const restOf = (n) => 8500 + n;
const SYNCHRONOUS = `SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')`;

/** The newest PostgreSQL of Debian on this machine. */
function binaries() {
  const versions = readdirSync('/usr/lib/postgresql').map(Number);
  return `/usr/lib/postgresql/${Math.max(...versions)}/bin`;
}

/** Three PostgreSQL under Patroni on loopback, with one etcd, behind HAProxy: by the files of deploy/. Needs root. */
export class Cluster {
  constructor(dir) {
    Object.assign(this, { dir, bin: binaries(), user: { uid: id('-u'), gid: id('-g') }, agents: new Map() });
    this.url = `postgres://gateway:gateway@127.0.0.1:${PRIMARY}/gateway`;
    this.superUrl = `postgres://postgres:test@127.0.0.1:${PRIMARY}/gateway`;
  }

  async start() {
    this.ownedFolder(this.dir);
    this.ownedFolder('/var/run/postgresql');
    chmodSync(this.dir, 0o755);
    const [client, peer] = [`http://127.0.0.1:${ETCD}`, `http://127.0.0.1:${ETCD + 10}`];
    const urls = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer];
    const members = ['--initial-advertise-peer-urls', peer, '--initial-cluster', `etcd=${peer}`];
    this.etcd = start('etcd', ['--name', 'etcd', '--data-dir', `${this.dir}/etcd`, ...urls, ...members], {
      log: `${this.dir}/etcd.log`,
    });
    await until('etcd', async () => (await fetch(`${client}/health`)).ok);
    for (const n of NODES) {
      this.startNode(n);
      if (n === 1) await until('the first primary', () => this.primary(), 120_000);
    }
    this.startHaproxy();
    await this.whole();
    this.sql(`CREATE ROLE gateway LOGIN PASSWORD 'gateway'`, 'postgres');
    this.sql('CREATE DATABASE gateway OWNER gateway', 'postgres');
  }

  ownedFolder(path) {
    mkdirSync(path, { recursive: true });
    chownSync(path, this.user.uid, this.user.gid);
  }

  /** One statement by psql as the superuser, through HAProxy. */
  sql(text, database = 'gateway') {
    const url = new URL(this.superUrl);
    url.pathname = database;
    const env = { PGCONNECT_TIMEOUT: '3' };
    return execFileSync(`${this.bin}/psql`, ['-XAtq', '-c', text, url.href], {
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    }).trim();
  }

  startNode(n) {
    const home = `${this.dir}/pg${n}`;
    this.ownedFolder(home);
    const env = {
      HOME: '/var/lib/postgresql',
      PATH: `${this.bin}:/usr/bin:/bin`,
      PATRONI_NAME: `pg${n}`,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restOf(n)}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restOf(n)}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${portOf(n)}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${portOf(n)}`,
      PATRONI_POSTGRESQL_DATA_DIR: `${home}/data`,
      PATRONI_POSTGRESQL_BIN_DIR: this.bin,
      PATRONI_POSTGRESQL_PGPASS: `${home}/pgpass`,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${ETCD}`,
    };
    for (const [role, name] of Object.entries({
      SUPERUSER: 'postgres',
      REPLICATION: 'replicator',
      REWIND: 'rewinder',
    })) {
      Object.assign(env, { [`PATRONI_${role}_USERNAME`]: name, [`PATRONI_${role}_PASSWORD`]: 'test' });
    }
    const options = { log: `${this.dir}/patroni${n}.log`, env, ...this.user };
    this.agents.set(n, start('patroni', [join(root, 'deploy/patroni/patroni.yml')], options));
  }

  startHaproxy() {
    const nodes = NODES.map((n) => [
      [`PG${n}`, `127.0.0.1:${portOf(n)}`],
      [`PG${n}_REST`, String(restOf(n))],
    ]);
    const env = { PRIMARY_BIND: `127.0.0.1:${PRIMARY}`, ...Object.fromEntries(nodes.flat()) };
    const file = join(root, 'deploy/haproxy/postgresql.cfg');
    this.haproxy = start('haproxy', ['-db', '-f', file], { log: `${this.dir}/haproxy.log`, env });
  }

  async roleOf(n) {
    const response = await fetch(`http://127.0.0.1:${restOf(n)}/patroni`, { signal: AbortSignal.timeout(2_500) }).catch(
      () => undefined,
    );
    const state = await response?.json().catch(() => undefined);
    return state?.state === 'running' ? state.role : undefined;
  }

  async primary() {
    const roles = await Promise.all(NODES.map((n) => this.roleOf(n)));
    const index = roles.findIndex((role) => ['master', 'primary'].includes(role));
    return index < 0 ? undefined : NODES[index];
  }

  /** Waits until every node runs, one as primary, and a standby is synchronous. */
  async whole() {
    await until(
      'a whole cluster',
      async () => {
        const roles = await Promise.all(NODES.map((n) => this.roleOf(n)));
        return roles.every((role) => role !== undefined) && this.sql(SYNCHRONOUS, 'postgres') !== '0';
      },
      180_000,
      500,
    );
  }

  serverOf(n) {
    return tree(Number(readFileSync(`${this.dir}/pg${n}/data/postmaster.pid`, 'utf8').split('\n')[0]));
  }

  /** kill -9 of the primary's server, and of its Patroni if `agent`, which `startNode` then starts again. */
  async killPrimary({ agent }) {
    const n = await this.primary();
    const pids = this.serverOf(n);
    if (agent) this.agents.get(n).child.kill('SIGKILL');
    signalAll(pids, 'SIGKILL');
    return n;
  }

  /** Stops all processes of the primary's node. @returns the function that lets them go on. */
  async freezePrimary() {
    const n = await this.primary();
    const pids = [this.agents.get(n).pid, ...this.serverOf(n)];
    signalAll(pids, 'SIGSTOP');
    return () => signalAll(pids, 'SIGCONT');
  }

  /** Hands over to the synchronous standby by name: without one the other standby asks the stopped primary for 2 s first. */
  async switchover() {
    const leader = await this.primary();
    const rest = `http://127.0.0.1:${restOf(leader)}`;
    const { members } = await (await fetch(`${rest}/cluster`)).json();
    const candidate = members.find(({ role }) => role === 'sync_standby').name;
    const response = await fetch(`${rest}/switchover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ leader: `pg${leader}`, candidate }),
    });
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
  }

  async stop() {
    if (this.haproxy !== undefined) signalAll([this.haproxy.pid], 'SIGCONT');
    await stop(this.haproxy);
    for (const n of NODES) {
      let pids = [];
      try {
        pids = this.serverOf(n);
      } catch {
        // It does not run.
      }
      await stop(this.agents.get(n), 20_000);
      signalAll(pids, 'SIGKILL');
    }
    await stop(this.etcd);
  }
}
