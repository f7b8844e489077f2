import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { Client } from '../../support/http/client.js';
import { freePort } from '../../support/http/free-port.js';
import { ServiceProcess } from '../../support/service-process.js';
import { Observer } from './observer.js';

/** An api process of the service with a database of its own, whose worker processes a test kills. */
export class KillWorld {
  private constructor(
    private readonly database: TestDatabase,
    private readonly env: Readonly<Record<string, string>>,
    private readonly service: ServiceProcess,
    readonly sql: Observer,
    /** With a read-write key. */
    readonly client: Client,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<KillWorld> {
    const database = await createTestDatabase();
    const sql = await Observer.open(database.url);
    const port = String(await freePort());
    const env = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      BASE_URL: `http://localhost:${port}`,
      PORT: port,
      ...settings,
    };
    const service = await ServiceProcess.start({ ...env, ROLES: 'api' });
    return new KillWorld(database, env, service, sql, new Client(env.BASE_URL, await sql.key()));
  }

  async close(): Promise<void> {
    await this.service.kill();
    await this.sql.close();
    await this.database.drop();
  }

  /** Starts a worker process. */
  async worker(): Promise<ServiceProcess> {
    return ServiceProcess.start({ ...this.env, PORT: String(await freePort()), ROLES: 'worker' });
  }

  /** The number `n` of the only row of a statement. */
  async count(text: string): Promise<number> {
    return Number((await this.sql.rows<{ n: string }>(text))[0]!.n);
  }
}
