import 'reflect-metadata';
import { loadConfig } from './src/config/config.js';
import { createDataSource } from './src/db/data-source.js';
import { migrations } from './src/db/migrations/index.js';
import { entities } from './src/entities.js';

const { config, secrets } = loadConfig();

/** For the TypeORM command line, against `DATABASE_URL`: `npm run typeorm -- migration:show`. */
export default createDataSource(
  { url: secrets.databaseUrl ?? 'postgres://localhost:5432/gateway', poolSize: config.databasePool },
  { entities, migrations },
);
