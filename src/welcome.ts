import { type Config } from './config/config.js';
import { type Logger } from './logger.js';
import { type Server } from './server.js';

/** Says where the service is; on an empty database also how to make the first key. */
export async function welcome(server: Server, logger: Logger, config: Config): Promise<void> {
  const fields = server.dataDir === undefined ? {} : { data_dir: server.dataDir };
  logger.info({ base_url: config.baseUrl, roles: [...config.roles], ...fields }, 'listening');
  const [row] = await server.db.query(`SELECT 1 FROM api_keys LIMIT 1`);
  if (row !== undefined) return;
  process.stdout.write(
    [
      '',
      `  The service is at ${config.baseUrl}, and its database is empty.`,
      '  Make an API key in another terminal (it is shown once):',
      '',
      '      npm run --silent keys -- create --label first --scope read-write',
      '',
      `  Then try it: ${config.baseUrl}/graphiql (GraphQL), ${config.baseUrl}/docs (REST).`,
      '',
      '',
    ].join('\n'),
  );
}
