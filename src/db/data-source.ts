import { DataSource, type DataSourceOptions } from 'typeorm';
import pg from 'pg';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
}

/** No statement outlives this, in milliseconds, on either side of the connection: a dead network can't hold a request. */
export const STATEMENT_TIMEOUT_MS = 5_000;

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
 * The TypeORM options of the service's one database. Entities and migrations are handed in, so that the floor names
 * no feature.
 */
export function dataSourceOptions(
  options: DatabaseOptions,
  schema: Pick<DataSourceOptions, 'entities' | 'migrations'>,
): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    poolSize: options.poolSize,
    connectTimeoutMS: STATEMENT_TIMEOUT_MS,
    applicationName: 'workflow-gateway',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    synchronize: false,
    migrationsTableName: 'migrations',
    // Errors of idle connections are the pool's to drop; the next statement reports what is really wrong.
    poolErrorHandler: () => undefined,
    extra: {
      Client: PoolClient,
      types: { getTypeParser },
      statement_timeout: STATEMENT_TIMEOUT_MS - 500,
      lock_timeout: STATEMENT_TIMEOUT_MS - 1_000,
      idle_in_transaction_session_timeout: 10_000,
      query_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
    },
    ...schema,
  };
}

const { INT8 } = pg.types.builtins;

/** bigint columns hold counts and positions, far below 2^53: numbers, not pg's default of text. */
function getTypeParser(oid: typeof INT8, format?: 'text' | 'binary'): unknown {
  if (oid === INT8) return Number;
  return pg.types.getTypeParser(oid, format);
}

/** A data source that is not connected yet. */
export function createDataSource(
  options: DatabaseOptions,
  schema: Pick<DataSourceOptions, 'entities' | 'migrations'>,
): DataSource {
  return new DataSource(dataSourceOptions(options, schema));
}
