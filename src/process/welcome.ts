import { type Config } from '../platform/config/config.js';
import { packageRoot } from '../platform/package-root.js';
import { type Server } from './server.js';

/** How the operator runs a command: by npm in a checkout, by npx where the package is installed. */
const RUN = /[/\\]node_modules[/\\]/.test(packageRoot) ? 'npx workflow-gateway keys' : 'npm run --silent keys --';

/** Until a user exists it prints the link that creates the first one, and how to create a key. */
export async function printSetUpLink(server: Server, config: Config): Promise<void> {
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
      '  Create API keys there, or in another terminal with the same environment (a key is shown once):',
      '',
      `      ${RUN} create --label first --scope read-write`,
      '',
      `  Try it: ${config.baseUrl}/graphiql (GraphQL), ${config.baseUrl}/docs (REST).`,
      `  Documentation: ${config.baseUrl}/docs/reference`,
      '',
      '',
    ].join('\n'),
  );
}
