import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { getTypeParser } from './type-parsers.js';

/** The connection of a data source. */
export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /**
   * The limit of each statement in milliseconds, on both sides of the connection: a dead network cannot hold a request.
   */
  patience?: number;
}

const PATIENCE_MS = 5_000;

/**
 * pg reports a lost connection by an `error` event, which ends the process without a listener. The pool and TypeORM
 * remove their listeners while a connection changes hands. The next statement on the connection reports the error.
 */
class PoolClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** The TypeORM options of the service's database. Entities are a parameter, so that the platform names no feature. */
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
