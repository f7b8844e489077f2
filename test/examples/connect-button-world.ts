import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/http/free-port.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTcpProxy, type TcpProxy } from '../support/http/tcp-proxy.js';

const BACKEND = fileURLToPath(new URL('../../examples/connect-button/server.mjs', import.meta.url));

/** The example beside a gateway, which it reaches through a line that can be cut. */
export class ConnectButtonWorld {
  private constructor(
    readonly gateway: TestServer,
    readonly line: TcpProxy,
    readonly apiKey: string,
    readonly url: string,
    private readonly backend: ChildProcess,
  ) {}

  static async open(): Promise<ConnectButtonWorld> {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const gateway = await startTestServer({ env: { CORS_ORIGINS: url } });
    const line = await startTcpProxy(gateway.baseUrl);
    const apiKey = await gateway.key();
    const GATEWAY = line.url.replace(/\/$/, '');
    const backend = spawn(process.execPath, [BACKEND], {
      env: { PATH: process.env.PATH, GATEWAY, API_KEY: apiKey, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(createInterface(backend.stdout), 'line');
    if (said !== `Open ${url}`) throw new Error(`The example said: ${said}`);
    return new ConnectButtonWorld(gateway, line, apiKey, url, backend);
  }

  async close(): Promise<void> {
    const gone = once(this.backend, 'exit');
    this.backend.kill();
    await gone;
    await this.line.close();
    await this.gateway.close();
  }
}
