// The real service with its own embedded database, in a folder that is deleted at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createListener } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, loadConfig } from '../../dist/src/index.js';

const EMAIL = 'ada@acme.example';
const PASSWORD = 'correct horse battery';

/** Starts the service, without a user. */
export async function startEmptyService() {
  const folder = mkdtempSync(join(tmpdir(), 'screenshots-'));
  const port = String(await freePort());
  const server = await createServer(
    loadConfig({ PORT: port, DATA_DIR: folder, LOG_LEVEL: 'error', RATE_LIMITS: 'off' }),
  );
  const close = async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { server, baseUrl: server.baseUrl, close };
}

/** Starts the service and creates its first user. */
export async function startService() {
  const { server, baseUrl, close } = await startEmptyService();
  const link = new URL(await server.newSetUpLink());
  const person = { token: link.pathname.split('/').pop(), name: 'Ada Lovelace', email: EMAIL, password: PASSWORD };
  const answer = await globalThis.fetch(`${baseUrl}/auth/set-up`, {
    method: 'POST',
    headers: { origin: baseUrl, 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  if (!answer.ok) throw new Error(`The first user was answered ${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie()[0].split(';', 1)[0];
  return { server, baseUrl, cookie, graphql: asker(baseUrl, cookie), close };
}

/** Sends GraphQL operations as the first user. */
function asker(baseUrl, cookie) {
  return async (query, variables = {}) => {
    const answer = await globalThis.fetch(`${baseUrl}/graphql`, {
      method: 'POST',
      headers: { origin: baseUrl, cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await answer.json();
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  };
}

function freePort() {
  return new Promise((resolve) => {
    const listener = createListener().listen(0, '127.0.0.1', () => {
      const { port } = listener.address();
      listener.close(() => resolve(port));
    });
  });
}
