import { statfs } from 'node:fs/promises';
import { type Client } from 'pg';
import { type Config } from '../../platform/config/config.js';
import { type Route } from '../../platform/db/database.js';
import { BESIDE_POOL, type DatabaseLocation } from '../database-location.js';
import { failed, ok, type Result, warning } from './finding.js';

const OLDEST_POSTGRESQL = 14;
const MB = 2 ** 20;
/** The ages of transaction ids at which PostgreSQL's own protection is near. */
const OLD_IDS = 1_000_000_000;
const TOO_OLD_IDS = 1_600_000_000;
const LONG_TRANSACTION_SECONDS = 900;

async function row<T extends object>(client: Client, statement: string): Promise<T> {
  return (await client.query<T>(statement)).rows[0]!;
}

/** The version of the server. */
export async function version(client: Client, dataDir: string | undefined): Promise<Result> {
  const { number, text } = await row<{ number: number; text: string }>(
    client,
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS text`,
  );
  const place = dataDir === undefined ? 'a server' : `embedded in ${dataDir}`;
  if (number >= OLDEST_POSTGRESQL * 10_000) return ok(`PostgreSQL ${text}, ${place}`);
  return failed(`PostgreSQL ${text} is too old`, `Upgrade it to ${OLDEST_POSTGRESQL} or newer.`);
}

/** Where the addresses of the settings lead; that they lead to one database was compared before. */
export async function addresses(
  { url, directUrl }: Pick<DatabaseLocation, 'url' | 'directUrl'>,
  { isPooled, isPrepared }: Required<Route>,
): Promise<Result> {
  const place = (address: string): string => new URL(address).host;
  const to = isPooled ? 'a connection pooler' : 'PostgreSQL itself';
  const statements = isPrepared ? 'prepared' : 'unnamed';
  const direct = url === directUrl ? 'also for migrations and LISTEN' : `past it: ${place(directUrl)}`;
  return ok(`${place(url)} is ${to}, statements are ${statements}; ${direct}`);
}

/** Settings without which an acknowledged write can be lost. */
export async function durability(client: Client): Promise<Result> {
  const { off } = await row<{ off: string[] }>(
    client,
    `SELECT coalesce(array_agg(name ORDER BY name), '{}')::text[] AS off FROM pg_settings
     WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'`,
  );
  if (off.length === 0) return ok('fsync, full_page_writes and synchronous_commit are on');
  return failed(
    `${off.join(', ')} off: a crash loses acknowledged writes`,
    'Switch it on in postgresql.conf and reload.',
  );
}

/** Compares the limit of the server with the pools of the processes. An embedded server starts with what they need. */
export async function connections(
  client: Client,
  { databasePool: pool, processes }: Pick<Config, 'databasePool' | 'processes'>,
  dataDir: string | undefined,
): Promise<Result> {
  const { limit, used } = await row<{ limit: number; used: number }>(
    client,
    `SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS limit,
       (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  );
  const each = pool + BESIDE_POOL;
  const fits = Math.floor(limit / each);
  const message = `${used} of ${limit} connections in use; DATABASE_POOL ${pool} makes ${each} for each process`;
  const remedy = 'Raise max_connections, or lower DATABASE_POOL.';
  if (fits < processes && dataDir === undefined)
    return failed(`${message}, and PROCESSES ${processes} needs ${processes * each}`, remedy);
  return used > limit * 0.8 ? warning(message, remedy) : ok(`${message}, enough for ${fits}`);
}

/** Whether writes are possible, and whether they wait for a standby that is not there. */
export async function replication(client: Client): Promise<Result> {
  const { standby, names, standbys, synchronous } = await row<{
    standby: boolean;
    names: string;
    standbys: number;
    synchronous: number;
  }>(
    client,
    `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS standby,
       current_setting('synchronous_standby_names') AS names,
       (SELECT count(*)::integer FROM pg_stat_replication) AS standbys,
       (SELECT count(*)::integer FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum') OR sync_state IS NULL) AS synchronous`,
  );
  if (standby) return failed('The database is read-only, e.g. a standby', 'Point DATABASE_URL at the primary.');
  if (names !== '' && synchronous === 0)
    return failed(
      `Commits wait for a standby (${names}), and none is connected`,
      'Bring the standby back, or clear synchronous_standby_names.',
    );
  return ok(
    standbys === 0 ? 'A primary without standbys' : `A primary with ${standbys} standbys, ${synchronous} synchronous`,
  );
}

/** Slots of consumers that are gone keep WAL until the disk is full. */
export async function slots(client: Client): Promise<Result> {
  const { inactive } = await row<{ inactive: string[] }>(
    client,
    `SELECT coalesce(array_agg(slot_name::text ORDER BY 1), '{}') AS inactive FROM pg_replication_slots WHERE NOT active`,
  );
  if (inactive.length === 0) return ok('No replication slot is unused');
  return warning(
    `Unused replication slots keep WAL: ${inactive.join(', ')}`,
    'Reconnect their standbys, or drop them: SELECT pg_drop_replication_slot(…).',
  );
}

/** The size of the database, and for an embedded one the room on its disk. */
export async function room(client: Client, dataDir: string | undefined): Promise<Result> {
  const { bytes } = await row<{ bytes: string }>(client, 'SELECT pg_database_size(current_database()) AS bytes');
  const size = `the database has ${Math.ceil(Number(bytes) / MB)} MB`;
  if (dataDir === undefined) return ok(`${size}; the room on its disk is visible on its server only`);
  const { bavail, bsize, blocks } = await statfs(dataDir);
  const free = (bavail * bsize) / MB;
  const message = `${Math.floor(free)} MB free in ${dataDir}; ${size}`;
  if (free < 256) return failed(message, 'Make room on that disk now: a full one stops every write.');
  return free < 2_048 || bavail < blocks * 0.05 ? warning(message, 'Make room on that disk.') : ok(message);
}

/** Long transactions and old ids keep VACUUM from removing dead rows. */
export async function transactions(client: Client): Promise<Result> {
  const { seconds, prepared, ids } = await row<{ seconds: number; prepared: number; ids: number }>(
    client,
    `SELECT (SELECT coalesce(max(extract(epoch FROM now() - xact_start)), 0)::integer FROM pg_stat_activity
             WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS seconds,
       (SELECT count(*)::integer FROM pg_prepared_xacts) AS prepared,
       (SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database()) AS ids`,
  );
  const vacuum = 'Run VACUUM FREEZE, and see why autovacuum does not keep up.';
  if (ids > TOO_OLD_IDS) return failed(`Transaction ids are ${ids} old: writes will stop at 2 billion`, vacuum);
  if (ids > OLD_IDS) return warning(`Transaction ids are ${ids} old`, vacuum);
  if (prepared > 0)
    return warning(`${prepared} prepared transactions are open`, 'Commit or roll them back: pg_prepared_xacts.');
  if (seconds > LONG_TRANSACTION_SECONDS)
    return warning(
      `A transaction has been open for ${seconds} s`,
      'End its session: pg_stat_activity, pg_terminate_backend(pid).',
    );
  return ok(`The oldest transaction is ${seconds} s old`);
}

/** Tables with many dead rows, as the statistics of the server count them. */
export async function bloat(client: Client): Promise<Result> {
  const { tables } = await row<{ tables: string[] }>(
    client,
    `SELECT coalesce(array_agg(format('%s (%s dead, %s live)', relname, n_dead_tup, n_live_tup) ORDER BY n_dead_tup DESC), '{}') AS tables
     FROM pg_stat_user_tables WHERE n_dead_tup > 100000 AND n_dead_tup > n_live_tup / 2`,
  );
  if (tables.length === 0) return ok('No table has many dead rows');
  return warning(`Dead rows: ${tables.join(', ')}`, 'Run VACUUM on them, and see why autovacuum does not keep up.');
}
