import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { limitsOf, PATIENCE_MS } from './connections/limits.js';
import { PatientPool } from './connections/patient-pool.js';
import { PoolClient } from './connections/pool-client.js';
import { cancellingClient } from './connections/cancelling-client.js';
import { getTypeParser } from './type-parsers.js';

/** The connection of a data source. */
export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /**
   * The limit of each statement in milliseconds, on both sides of the connection: a dead network cannot hold a request.
   */
  patience?: number;
  /** Whether the address is that of a pooler, which refuses limits at the start of a connection. */
  isPooled?: boolean;
}

/** The TypeORM options of the service's database. Entities are a parameter, so that the platform names no feature. */
function dataSourceOptions(
  options: DatabaseOptions,
  entities: NonNullable<DataSourceOptions['entities']>,
): DataSourceOptions {
  const patience = options.patience ?? PATIENCE_MS;
  const limits = limitsOf(patience);
  return {
    ...common(options),
    driver: { ...pg, Pool: PatientPool },
    extra: {
      ...(options.isPooled
        ? { Client: cancellingClient(limits.statement_timeout) }
        : { Client: PoolClient, ...limits }),
      types: { getTypeParser },
      query_timeout: patience,
      keepAlive: true,
    },
    entities,
  };
}

/** The longest wait of a migration for a lock, in milliseconds: statements of other sessions queue up behind it. */
const MIGRATION_LOCK_MS = 2_000;

/**
 * One connection for migrations. Statements have no time limit, so that an index of a large table can be built, but
 * they give up a lock soon. The limits are set by statements, because parameters in the URL override those of the
 * driver.
 */
export function createMigrationSource(url: string, migrations: DataSourceOptions['migrations']): DataSource {
  const limits = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = ${MIGRATION_LOCK_MS}`;
  return new DataSource({
    ...common({ url, poolSize: 1 }),
    extra: { Client: PoolClient, keepAlive: true, onConnect: (client: pg.ClientBase) => client.query(limits) },
    entities: [],
    migrations: migrations ?? [],
  });
}

function common({ url, poolSize }: DatabaseOptions) {
  return {
    type: 'postgres',
    url,
    poolSize,
    connectTimeoutMS: PATIENCE_MS,
    applicationName: 'workflow-gateway',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    synchronize: false,
    migrationsTableName: 'migrations',
    // Silent: the default writes to stdout, which holds only the result of a command.
    logger: 'debug',
    // The pool drops idle connections that fail; the next statement reports the error.
    poolErrorHandler: () => undefined,
  } as const satisfies Partial<DataSourceOptions>;
}

/** A data source that is not connected yet. */
export function createDataSource(
  options: DatabaseOptions,
  entities: NonNullable<DataSourceOptions['entities']>,
): DataSource {
  return new DataSource(dataSourceOptions(options, entities));
}
