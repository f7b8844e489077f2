import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/package-root.js';
import { scratchFolder } from '../scratch.js';

/** An error that the proxy found in a request or a response. */
export interface ProxyProblem {
  target: 'request' | 'response';
  message: string;
  method: string;
  path: string;
  status: number;
}

/** The report of the proxy. */
export interface ProxyReport {
  run: { totalExchanges: number; documentedExchanges: number };
  problems: ProxyProblem[];
}

/** Redocly's proxy: it forwards requests, and validates them and their responses against the OpenAPI document. */
export class ValidatingProxy {
  baseUrl = '';
  private readonly folder = scratchFolder();
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private report = '';
  private log = '';

  private constructor(target: string) {
    const command = join(packageRoot, 'node_modules/@redocly/cli/bin/cli.js');
    const api = join(packageRoot, 'schema/openapi.json');
    const har = join(this.folder, 'traffic.har');
    const options = ['--target', target, '--port', '0', '--har', har, '--api', api, '--match-mode', 'basepath'];
    this.child = spawn(process.execPath, [command, 'proxy', ...options, '--format', 'json'], {
      env: { PATH: process.env.PATH!, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.report += text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** Resolves once it listens. @throws Error with its output when it ends first. */
  static async start(target: string): Promise<ValidatingProxy> {
    const proxy = new ValidatingProxy(target);
    const listens = Promise.withResolvers<string>();
    proxy.child.stderr!.on('data', () => {
      const [, address] = /listening on (http:\S+)/.exec(proxy.log) ?? [];
      if (address !== undefined) listens.resolve(address);
    });
    const ended = proxy.ended.then(() => Promise.reject(new Error(`The proxy ended:\n${proxy.log}`)));
    proxy.baseUrl = await Promise.race([listens.promise, ended]);
    return proxy;
  }

  /** Stops the proxy; a second call has no effect. @returns its findings. */
  async stop(): Promise<ProxyReport> {
    this.child.kill('SIGINT');
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
    return JSON.parse(this.report) as ProxyReport;
  }
}
