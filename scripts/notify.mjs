// `npm run bench:notify`: what a NOTIFY costs the commits of other transactions: inside of each, as the service did it once; after them, one message per
// process and 10 ms, as it does now; and none. With and without waiting for a synchronous standby. `--write`: into docs/performance.md.
// Needs root, and Debian's patroni, etcd-server, haproxy and postgresql, which are installed where they are missing.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import pg from 'pg';
import { need } from './image/tools.mjs';
import { Cluster } from './ha/cluster.mjs';

const { values } = parseArgs({ options: { write: { type: 'boolean' }, rounds: { type: 'string', default: '7' } } });
const CHANNEL = 'bench_notify';
/** As processes of the service: each listens, and sends at most one message in PAUSE_MS (platform/notifications/outbox.ts). */
const PROCESSES = 4;
const PAUSE_MS = 10;
const CLIENTS = [16, 64];
const SECONDS = 2;
const HINT = `SELECT pg_notify('${CHANNEL}', '{"topic":"integration_changed","payload":{"accountId":"0190","position":1}}')`;
const INSERT = `INSERT INTO bench_notify (account, payload) VALUES (1, repeat('x', 200))`;
const WAYS = {
  'inside of each transaction': { script: `BEGIN;\n${INSERT};\n${HINT};\nCOMMIT;\n`, sends: false },
  'after them, together': { script: `BEGIN;\n${INSERT};\nSELECT 1;\nCOMMIT;\n`, sends: true },
  none: { script: `BEGIN;\n${INSERT};\nSELECT 1;\nCOMMIT;\n`, sends: false },
};
const STANDBY = { 'waits for the synchronous standby': 'on', 'does not wait': 'local' };

need({ patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', pg_createcluster: 'postgresql' });
const dir = mkdtempSync(join(tmpdir(), 'bench-notify-'));
const cluster = new Cluster(dir);
const connections = [];
try {
  await cluster.start();
  cluster.sql(`CREATE TABLE bench_notify (id bigserial PRIMARY KEY, account int, payload text)`);
  for (let n = 0; n < PROCESSES; n += 1) connections.push(await listen());
  const seen = new Map();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const standby of Object.keys(STANDBY)) {
      for (const clients of CLIENTS) {
        for (const way of Object.keys(WAYS)) {
          const name = [standby, clients, way].join();
          seen.set(name, [
            ...(seen.get(name) ?? []),
            await measure({ way: WAYS[way], clients, commit: STANDBY[standby] }),
          ]);
        }
      }
    }
  }
  report((...name) => median(seen.get(name.join())));
} finally {
  await Promise.all(connections.map((one) => one.end()));
  await cluster.stop();
  rmSync(dir, { recursive: true, force: true });
}

async function listen() {
  const client = new pg.Client(cluster.superUrl);
  await client.connect();
  await client.query(`LISTEN ${CHANNEL}`);
  return client;
}

/** Transactions a second. The two ways without a NOTIFY inside differ only by the messages sent beside. */
async function measure({ way, clients, commit }) {
  const file = join(dir, 'script.sql');
  writeFileSync(file, way.script);
  let isOver = false;
  const send = async (client) => {
    while (!isOver) {
      const next = sleep(PAUSE_MS);
      await client.query(HINT);
      await next;
    }
  };
  const senders = way.sends ? connections.map(send) : [];
  const url = new URL(cluster.superUrl);
  const options = [
    '-n',
    '-M',
    'prepared',
    '-T',
    String(SECONDS),
    '-c',
    String(clients),
    '-j',
    '2',
    '-f',
    file,
    url.href,
  ];
  const env = { PGOPTIONS: `-c synchronous_commit=${commit}` };
  const { stdout } = await promisify(execFile)(`${cluster.bin}/pgbench`, options, { env });
  isOver = true;
  await Promise.all(senders);
  return Number(/tps = ([\d.]+)/.exec(stdout)[1]);
}

function median(all) {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
}

function report(rate) {
  const rows = Object.keys(STANDBY).flatMap((standby) =>
    CLIENTS.map((clients) => {
      const cells = Object.keys(WAYS).map((way) => Math.round(rate(standby, clients, way)).toLocaleString('en'));
      return `| ${[standby, clients, ...cells].join(' | ')} |`;
    }),
  );
  const table = [
    `| A commit | Clients | ${Object.keys(WAYS).join(' | ')} |`,
    '| --- | --: | --: | --: | --: |',
    ...rows,
  ].join('\n');
  console.log(table);
  if (!values.write) return;
  const path = join(import.meta.dirname, '../docs/performance.md');
  const mark = /<!-- notify -->[^]*<!-- \/notify -->/;
  writeFileSync(path, readFileSync(path, 'utf8').replace(mark, `<!-- notify -->\n\n${table}\n\n<!-- /notify -->`));
}
