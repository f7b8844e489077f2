import { type Config } from '../platform/config/config.js';
import { type Logger } from '../platform/logging/logger.js';
import { type Server } from './server.js';

/**
 * Logs the address of the service. Until a user exists it also prints the link that creates the first one, and how to
 * create a key.
 */
export async function welcome(server: Server, logger: Logger, config: Config): Promise<void> {
  const fields = server.dataDir === undefined ? {} : { data_dir: server.dataDir };
  logger.info({ base_url: config.baseUrl, roles: [...config.roles], ...fields }, 'listening');
  if (!config.roles.has('api')) return;
  const link = await server.newSetUpLink();
  if (link === undefined) return;
  process.stdout.write(
    [
      '',
      `  The dashboard is at ${config.baseUrl}, and it has no user yet. Create the first one (the link works once):`,
      '',
      `      ${link}`,
      '',
      '  Create API keys there, or in another terminal (a key is shown once):',
      '',
      '      npm run --silent keys -- create --label first --scope read-write',
      '',
      `  Try it: ${config.baseUrl}/graphiql (GraphQL), ${config.baseUrl}/docs (REST).`,
      `  Documentation: ${config.baseUrl}/docs/reference`,
      '',
      '',
    ].join('\n'),
  );
}
