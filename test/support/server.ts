import { randomBytes } from 'node:crypto';
import { type Scope } from '../../src/platform/context.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { AccountService } from '../../src/features/accounts/account.service.js';
import { type App } from '../../src/features/integrations/apps/app.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { newUuid } from '../../src/platform/ids/ids.js';
import { Secrets, sha256 } from '../../src/platform/encryption/secrets.js';
import { SESSION_SECONDS } from '../../src/features/users/sign-in/auth-library.js';
import { SessionCookie } from '../../src/features/users/sign-in/session-cookie.js';
import { createServer, type Server } from '../../src/process/server.js';
import { StillClock, TestClock } from './clock.js';
import { createStartedDatabase, type TestDatabase } from './database/database.js';
import { freePort } from './http/free-port.js';
import { type PasswordHash } from '../../src/platform/encryption/password-hash.js';
import { QUICK_HASH } from './quick-hash.js';
import { noteOperatorSecrets, noteSecret, secretsIn } from './database/secrets.js';

export interface TestServerOptions {
  /** Further environment variables; see `src/platform/config/variables.ts`. */
  env?: Record<string, string>;
  /** The operator's own apps; a function creates them once the server's URL is known. */
  apps?: readonly App[] | ((baseUrl: string) => readonly App[]);
  /** A database shared by several servers; by default each has a new one. */
  database?: TestDatabase;
  clock?: TestClock;
  /** The hash of passwords; a quick one by default. */
  passwordHash?: PasswordHash;
  /** The wait and timeout of statements, for tests that hold locks while the service works. */
  patience?: number;
}

/** The real service on a real port and a real database. */
export interface TestServer extends Server {
  readonly clock: TestClock;
  readonly database: TestDatabase;
  /** Every log line since the start. */
  readonly logs: string[];
  /** Creates an API key, and the account if it is new. */
  key(scope?: Scope, account?: string): Promise<string>;
  /** Signs a user in without a request. @returns the cookie. */
  session(userId: string): Promise<string>;
  /** Moves the one clock. */
  advance(milliseconds: number): Promise<void>;
  /** The URL of this process; `baseUrl` may be that of another one. */
  readonly url: string;
  /** The WebSocket URL of a path. */
  ws(path?: string): string;
}

/** 32 zero bytes: servers that share a database must share the key. */
const ENCRYPTION_KEY = Buffer.alloc(32).toString('base64');

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createStartedDatabase());
  const clock = options.clock ?? new TestClock();
  const port = Number(options.env?.PORT ?? (await freePort()));
  const logs: string[] = [];
  const env = {
    PORT: String(port),
    DATABASE_URL: database.url,
    ENCRYPTION_KEY,
    DRAIN_DELAY: '0',
    DRAIN_IDLE: '0',
    RATE_LIMITS: 'off',
    DATABASE_POOL: '5',
    ...options.env,
  };
  const loaded = loadConfig(env);
  const apps = typeof options.apps === 'function' ? options.apps(loaded.config.baseUrl) : (options.apps ?? []);
  noteOperatorSecrets(apps, env);
  const logger = createLogger('debug', { write: (line: string) => void logs.push(line) });
  const server = await createServer(loaded, apps, {
    clock,
    logger,
    passwordHash: options.passwordHash ?? QUICK_HASH,
    patience: options.patience,
  });
  if (clock instanceof StillClock) await clock.advance(server.db, 0);
  const accounts = new AccountService(server.db, clock);
  const cookie = new SessionCookie(server.baseUrl, new Secrets(loaded.secrets.encryptionKeys).derive('sessions'));
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await server.close();
    if (options.database === undefined) await database.drop();
    const logged = secretsIn(logs.join(''));
    if (logged.length > 0) throw new Error(`The log holds secrets:\n${logged.join('\n')}`);
  };
  return {
    ...server,
    clock,
    database,
    logs,
    key: async (scope = 'read-write', account = 'default') => {
      const accountId = await accounts.findOrCreate(server.db, account);
      return noteSecret((await server.apiKeys.create(accountId, { label: 'test', scope })).secret);
    },
    session: async (userId) => {
      const now = clock.now();
      const token = noteSecret(randomBytes(16).toString('hex'));
      await server.db.query(
        `INSERT INTO user_sessions (id, user_id, digest, created_at, updated_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)`,
        [newUuid(now), userId, sha256(token), now, new Date(now.getTime() + SESSION_SECONDS * 1_000)],
      );
      return cookie.pair(token);
    },
    advance: (milliseconds) => clock.advance(server.db, milliseconds),
    url: `http://localhost:${port}`,
    ws: (path = '/graphql') => `ws://localhost:${port}${path}`,
    close: () => (closed ??= close()),
  };
}
