import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/http/free-port.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';

/** An example beside a gateway, which it reaches through a line that can be cut. */
export class ExampleWorld {
  private constructor(
    readonly gateway: TestServer,
    readonly line: TcpProxy,
    readonly apiKey: string,
    readonly url: string,
    private readonly backend: ChildProcess,
  ) {}

  /** `before` prepares the account of the gateway before the example starts. */
  static async open(example: string, before?: (client: Client) => Promise<void>): Promise<ExampleWorld> {
    const file = fileURLToPath(new URL(`../../examples/${example}/server.mjs`, import.meta.url));
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const gateway = await startTestServer({ env: { CORS_ORIGINS: url } });
    const line = await startTcpProxy(gateway.baseUrl);
    const apiKey = await gateway.key();
    await before?.(new Client(gateway.baseUrl, apiKey));
    const GATEWAY = line.url.replace(/\/$/, '');
    const backend = spawn(process.execPath, [file], {
      env: { PATH: process.env.PATH, GATEWAY, API_KEY: apiKey, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(createInterface(backend.stdout), 'line');
    if (said !== `Open ${url}`) throw new Error(`The example said: ${said}`);
    return new ExampleWorld(gateway, line, apiKey, url, backend);
  }

  async close(): Promise<void> {
    const gone = once(this.backend, 'exit');
    this.backend.kill();
    await gone;
    await this.line.close();
    await this.gateway.close();
  }
}
