import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { getTypeParser } from './type-parsers.js';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** No statement outlives this, in milliseconds, on either side of the connection: a dead network can't hold a request. */
  patience?: number;
}

const PATIENCE_MS = 5_000;

/**
 * pg tells the loss of a connection by an event, which ends the process when nobody listens; the pool and TypeORM take
 * their listeners off while a connection changes hands. The next statement on it says what is wrong.
 */
class PoolClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/**
 * The TypeORM options of the service's one database. Entities are handed in, so that the platform names no feature.
 */
function dataSourceOptions(
  options: DatabaseOptions,
  entities: NonNullable<DataSourceOptions['entities']>,
): DataSourceOptions {
  const patience = options.patience ?? PATIENCE_MS;
  return {
    ...common(options),
    extra: {
      Client: PoolClient,
      types: { getTypeParser },
      statement_timeout: patience - 500,
      lock_timeout: patience - 1_000,
      idle_in_transaction_session_timeout: 2 * patience,
      query_timeout: patience,
      keepAlive: true,
    },
    entities,
  };
}

/** The longest that a migration waits for a lock, in milliseconds: every statement of others queues up behind it. */
const MIGRATION_LOCK_MS = 2_000;

/**
 * One connection for migrations: its statements take as long as they need, so that an index of a large table can be
 * built, but they give up a lock soon. Set by statements, because parameters in the URL win over those of the driver.
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
    // Says nothing: its default writes to stdout, where a command prints its answer alone.
    logger: 'debug',
    // Errors of idle connections are the pool's to drop; the next statement reports what is really wrong.
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
