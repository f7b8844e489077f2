import 'reflect-metadata';
import { type Client } from 'pg';
import { ConfigError } from '../../platform/config/config.js';
import { openCopyClient } from '../../platform/db/copy/copy-client.js';
import { createDataSource } from '../../platform/db/data-source.js';
import { Database } from '../../platform/db/database.js';
import { Secrets } from '../../platform/encryption/secrets.js';
import { lineOf } from '../cli/shell-command.js';
import { type Configuration, readConfiguration } from '../configuration.js';
import { type DatabaseLocation, openDatabase, routeTo } from '../database-location.js';
import { failed, type Finding, ok, type Result } from './finding.js';
import {
  addresses,
  bloat,
  connections,
  durability,
  replication,
  room,
  slots,
  transactions,
  version,
} from './server-checks.js';
import { clock, keys, mail, partitions, runs, schema, sending } from './service-checks.js';

/** Of one check, in milliseconds. */
const PATIENCE = 30_000;

type Report = (finding: Finding) => void;

/** Examines the installation, changes nothing, and reports each finding at once. */
export async function doctor(report: Report, signal: AbortSignal): Promise<void> {
  const examine = async (check: string, work: () => Promise<Result>): Promise<void> => {
    signal.throwIfAborted();
    const unknown = (error: unknown) =>
      failed(`It could not be checked: ${lineOf(error)}`, 'Correct that, and repeat.');
    report({ check, ...(await work().catch(unknown)) });
  };
  const configuration = await configured(report);
  if (configuration === undefined) return;
  const { loaded } = configuration;
  let opened: DatabaseLocation | undefined;
  try {
    opened = await openDatabase(loaded.config, loaded.secrets, 'command', () => undefined);
    await examineDatabase(opened, configuration, examine);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConfigError) reportFaults(report, 'addresses', error);
    else
      report({
        check: 'database',
        ...failed(lineOf(error), 'Start the database, or correct DATABASE_URL or DATA_DIR.'),
      });
  } finally {
    await opened?.stop();
  }
  await examine('mail', () => mail(loaded));
}

async function configured(report: Report): Promise<Configuration | undefined> {
  const check = 'configuration';
  try {
    const configuration = await readConfiguration();
    report({ check, ...ok(`All settings are valid; BASE_URL is ${configuration.loaded.config.baseUrl}`) });
    return configuration;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    reportFaults(report, check, error);
    return undefined;
  }
}

function reportFaults(report: Report, check: string, { faults }: ConfigError): void {
  for (const fault of faults) report({ check, ...failed(fault, 'Correct this setting: the README lists all.') });
}

async function examineDatabase(
  location: DatabaseLocation,
  { loaded }: Configuration,
  examine: (check: string, work: () => Promise<Result>) => Promise<void>,
): Promise<void> {
  const { url, directUrl, dataDir, encryptionKeys } = location;
  const route = await routeTo(location, loaded.config);
  if (url !== directUrl || route.isPooled) await examine('addresses', () => addresses(location, route));
  const client: Client = await openCopyClient(directUrl);
  const source = createDataSource({ url, poolSize: 2, patience: PATIENCE, isPooled: route.isPooled }, []);
  try {
    await client.query(`SET statement_timeout = ${PATIENCE}`);
    await source.initialize();
    const db = new Database(source, PATIENCE, route);
    await examine('database', () => version(client, dataDir));
    await examine('schema', () => schema(db));
    await examine('durability', () => durability(client));
    await examine('connections', () => connections(client, loaded.config, dataDir));
    await examine('replication', () => replication(client));
    await examine('replication slots', () => slots(client));
    await examine('room', () => room(client, dataDir));
    await examine('transactions', () => transactions(client));
    await examine('bloat', () => bloat(client));
    await examine('partitions', () => partitions(db));
    await examine('clock', () => clock(db));
    await examine('keys', () => keys(db, new Secrets(encryptionKeys)));
    await examine('runs', () => runs(db, url));
    await examine('sending', () => sending(db));
  } finally {
    if (source.isInitialized) await source.destroy();
    await client.end();
  }
}
