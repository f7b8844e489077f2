import { Agent, request } from 'node:http';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { Client } from '../../support/http/client.js';
import { freePort } from '../../support/http/free-port.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { Observer } from '../../faults/support/observer.js';

/** The answer to one request on a connection of its own, and the request's id in the log. */
export interface Answered {
  status: number;
  requestId: string;
  body: string;
}

/** A service of two processes on a database of its own. */
export class SeveralWorld {
  private constructor(
    readonly database: TestDatabase,
    readonly sql: Observer,
    readonly service: ServiceProcess,
    readonly client: Client,
    readonly env: Record<string, string>,
  ) {}

  static async open(more: Record<string, string> = {}, source?: string): Promise<SeveralWorld> {
    const database = await createTestDatabase();
    const env = {
      PORT: String(await freePort()),
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      PROCESSES: '2',
      DATABASE_POOL: '4',
      DRAIN_DELAY: '0',
      DRAIN_IDLE: '0',
      ...more,
    };
    const service = await ServiceProcess.start(env, source);
    const sql = await Observer.open(database.url);
    const client = new Client(`http://localhost:${env.PORT}`, await sql.key());
    return new SeveralWorld(database, sql, service, client, env);
  }

  /** Stops the service unless it has ended. */
  async close(): Promise<void> {
    await this.service.kill();
    await this.sql.close();
    await this.database.drop();
  }

  /** Sends a GET on a connection of its own: the processes get connections in turns. @throws Error if it is cut. */
  async get(path: string, key = this.client.key): Promise<Answered> {
    const agent = new Agent({ keepAlive: false });
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      const call = request(`${this.client.baseUrl}${path}`, { agent, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode!, requestId: String(response.headers['x-request-id']), body });
        });
      });
      call.once('error', reject);
      call.end();
    });
  }

  /** The process that has answered a request, once it has logged that. */
  async pidOf(requestId: string): Promise<number> {
    const line = () => this.service.output.split('\n').find((each) => each.includes(`"request_id":"${requestId}"`));
    await until(line);
    return (JSON.parse(line()!) as { pid: number }).pid;
  }

  /** The sum of the samples of a metric whose names begin so. */
  async metric(name: string): Promise<number> {
    const { body } = await this.get('/metrics');
    const lines = body.split('\n').filter((line) => line.startsWith(name));
    if (lines.length === 0) throw new Error(`no ${name} in\n${body}`);
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
}
