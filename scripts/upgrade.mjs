// `npm run test:upgrade`: the version before and the present build side by side on one PostgreSQL, in both orders of start, with
// load on both. Finds no error and no lost write, or ends with 1. The version before is the last release, built from its tag in a
// temporary folder that is kept for the next time. `--seconds 75`: how long both run. `--write`: the table goes to docs/operations/upgrades.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { build, versionBefore } from './upgrade/baseline.mjs';
import { Load } from './upgrade/load.mjs';
import { Balancer, Receiver } from './upgrade/peers.mjs';
import { Service } from './upgrade/service.mjs';
import { verdict } from './upgrade/verdict.mjs';
import { startEmbedded } from '../dist/src/platform/db/embedded/embedded-postgres.js';
import { toPublicId } from '../dist/src/platform/ids/ids.js';

const options = { seconds: { type: 'string', default: '75' }, write: { type: 'boolean' }, keep: { type: 'boolean' } };
const { values } = parseArgs({ options });
const PORTS = { balancer: 6300, before: 6301, present: 6302 };
const ORDERS = { before: 'present', present: 'before' };
const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

const dir = mkdtempSync(join(tmpdir(), 'test-upgrade-'));
let database;
try {
  const version = versionBefore();
  const folders = { before: await build(version, say), present: join(import.meta.dirname, '..') };
  database = await startEmbedded({ dataDir: join(dir, 'database'), connections: 200, log: say });
  const results = {};
  for (const first of Object.keys(ORDERS)) results[first] = await runOrder(first, folders);
  report(version, results);
} catch (error) {
  console.error(error.stack);
  process.exitCode = 1;
} finally {
  await database?.stop();
  if (values.keep || process.exitCode) say(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
}

/** `first` serves, the other one joins, then `first` stops: an upgrade, or the way back. */
async function runOrder(first, folders) {
  const second = ORDERS[first];
  const url = await createDatabase(`upgrade_from_${first}`);
  const [balancer, receiver] = [new Balancer(), new Receiver()];
  const services = Object.fromEntries(
    [first, second].map((name) => [name, serviceOf(name, first, folders[name], url)]),
  );
  const db = new pg.Client(url);
  let load;
  try {
    await balancer.listen(PORTS.balancer);
    const receiverPort = await receiver.listen();
    await services[first].start();
    say(`${first} runs alone`);
    balancer.ports = [PORTS[first]];
    const key = services[first].makeKey();
    load = await Load.start({ key, ports: [PORTS[first]], balancerPort: PORTS.balancer, receiverPort });
    await sleep(5_000);
    await services[second].start();
    say(`${second} has joined`);
    balancer.ports = [PORTS[first], PORTS[second]];
    await load.join(PORTS[second]);
    await db.connect();
    await sleep(Number(values.seconds) * 1_000);
    balancer.ports = [PORTS[second]];
    await load.leave(PORTS[first], (from, to) => endedRuns(db, from, to));
    const status = await services[first].stop();
    say(`${first} has stopped`);
    await sleep(5_000);
    await load.stop();
    const { counts, mustBeZero, details } = await verdict({ load, receiver, db, ids: toPublicId });
    load.abandon();
    const ends = [status, await services[second].stop()];
    mustBeZero['processes that did not end with 0'] = ends.filter((end) => end !== 0).length;
    const faults = Object.values(services).flatMap((one) => one.faults().map((fault) => `${one.name}: ${fault}`));
    mustBeZero['errors in the logs'] = faults.length;
    if (Object.values(mustBeZero).some((count) => count !== 0))
      console.log(JSON.stringify({ details, faults }, null, 1));
    return { counts, mustBeZero };
  } finally {
    load?.abandon();
    balancer.close();
    for (const service of Object.values(services)) await service.stop();
    receiver.close();
    await db.end().catch(() => undefined);
  }
}

/** The ids of the runs of these hooks; undefined while one of them is open. */
async function endedRuns(db, from, to) {
  const { rows } = await db.query(
    `SELECT id, status IN ('queued', 'running') AS open FROM runs
     WHERE trigger_type = 'webhook' AND (input ->> 'n')::integer BETWEEN $1 AND $2 - 1`,
    [from, to],
  );
  return rows.some(({ open }) => open) ? undefined : rows.map(({ id }) => toPublicId('run', id));
}

function serviceOf(name, order, folder, url) {
  const env = {
    DATABASE_URL: url,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    BASE_URL: `http://127.0.0.1:${PORTS.balancer}`,
  };
  return new Service({ name, folder, port: PORTS[name], env, dir: join(dir, `${order}-first`) });
}

async function createDatabase(name) {
  const admin = new pg.Client(database.url);
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  return url.href;
}

function report(version, results) {
  const all = Object.values(results);
  const rows = (part) =>
    Object.keys(all[0][part]).map((what) => `| ${what} | ${all.map((one) => one[part][what]).join(' | ')} |`);
  const table = [
    '| | the version before starts first | the present one starts first |',
    '| --- | --- | --- |',
    ...rows('counts'),
    ...rows('mustBeZero'),
  ].join('\n');
  say(`from ${version}`);
  console.log(table);
  if (all.some(({ mustBeZero }) => Object.values(mustBeZero).some((count) => count !== 0))) process.exitCode = 1;
  if (values.write) write(table);
}

function write(table) {
  const file = join(import.meta.dirname, '../docs/operations/upgrades.md');
  const [begin, end] = ['<!-- test:upgrade begins -->', '<!-- test:upgrade ends -->'];
  const [before, rest] = readFileSync(file, 'utf8').split(begin);
  writeFileSync(file, `${before}${begin}\n\n${table}\n\n${end}${rest.split(end)[1]}`);
}
