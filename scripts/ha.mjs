// `npm run test:ha`: the service on three PostgreSQL under Patroni, with faults under load. Counts what was promised, prints a
// table, and with `--write` puts it into docs/operations/high-availability.md. `--short`: each fault once. `--faults kill,freeze`: those alone.
// Debian's patroni, etcd-server, haproxy and postgresql are installed where they are missing; needs root.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { need } from './image/tools.mjs';
import { Cluster } from './ha/cluster.mjs';
import { FAULTS, LONG } from './ha/faults.mjs';
import { faultsOf } from './ha/judge.ts';
import { Load } from './ha/scene.mjs';
import { PlainClient } from './ha/plain-client.mjs';
import { Product } from './ha/product.mjs';

const options = {
  short: { type: 'boolean' },
  write: { type: 'boolean' },
  keep: { type: 'boolean' },
  faults: { type: 'string' },
};
const { values } = parseArgs({ options });
const kinds = values.faults?.split(',') ?? (values.short ? Object.keys(FAULTS) : LONG);
const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

need({ patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', pg_createcluster: 'postgresql' });
const dir = mkdtempSync(join(tmpdir(), 'test-ha-'));
const cluster = new Cluster(dir);
const product = new Product(dir, cluster.url);
let load, plain;
try {
  await cluster.start();
  await product.startAll();
  say('cluster and service run');
  load = await Load.start(product.makeKey());
  plain = await PlainClient.start(cluster.url);
  const rows = [];
  for (const kind of kinds) {
    say(`fault: ${kind}`);
    rows.push(await FAULTS[kind].run({ cluster, product, load, plain }));
    say(JSON.stringify(rows.at(-1)));
  }
  await load.stop();
  const db = new pg.Client(cluster.superUrl);
  await db.connect();
  const verdict = await load.verdict(db);
  await db.end();
  report(rows, { ...verdict, 'processes that died': product.deaths.length });
} catch (error) {
  console.error(error.stack);
  process.exitCode = 1;
} finally {
  load?.abandon();
  await plain?.stop();
  await product.stopAll();
  await cluster.stop();
  if (values.keep || process.exitCode) say(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
}

function report(rows, verdict) {
  const seconds = (value) => value.toFixed(1);
  const table = [
    '| Fault | Without a 202, s | The same of PostgreSQL itself, s | Sent and refused, s | Refused with 503 | Other failures | Longest response, s | As promised |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ fault, gap, own, refusing, refused, others, slowest, kept }) =>
        `| ${[fault, seconds(gap), seconds(own), seconds(refusing), refused, others, seconds(slowest), kept].join(' | ')} |`,
    ),
    '',
    '| Over the whole run | |',
    '| --- | --- |',
    ...Object.entries(verdict).map(([what, count]) => `| ${what} | ${count} |`),
  ].join('\n');
  console.log(table);
  const faults = faultsOf(verdict);
  if (faults.length > 0) console.log(`Not as promised: ${faults.join(', ')}`);
  if (faults.length > 0 || rows.some(({ kept }) => kept !== 'yes')) process.exitCode = 1;
  if (values.write) write(table);
}

function write(table) {
  const file = join(import.meta.dirname, '../docs/operations/high-availability.md');
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split('<!-- test:ha begins -->');
  const after = rest.split('<!-- test:ha ends -->')[1];
  writeFileSync(file, `${before}<!-- test:ha begins -->\n\n${table}\n\n<!-- test:ha ends -->${after}`);
}
