import 'reflect-metadata';
import { loadConfig } from './src/platform/config/config.js';
import { createMigrationSource } from './src/platform/db/data-source.js';
import { migrations } from './src/platform/db/migrations/index.js';

const { secrets } = loadConfig();

/** The data source for the TypeORM command line, with `DATABASE_URL`: `npm run typeorm -- migration:show`. */
export default createMigrationSource(secrets.databaseUrl ?? 'postgres://localhost:5432/gateway', migrations);
