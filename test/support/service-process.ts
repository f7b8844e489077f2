import { type ChildProcess, spawn } from 'node:child_process';
import { COMPILE_CACHE, compiledSource } from './compiled-source.js';

/** The service as a separate process, as in production, for tests of signals and crashes. */
export class ServiceProcess {
  /** The whole output. */
  output = '';
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  private readonly child: ChildProcess;

  private constructor(env: Record<string, string>, source: string) {
    this.child = spawn(process.execPath, ['--no-warnings', compiledSource(source)], {
      env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.ended = new Promise((resolve) => this.child.once('close', (code, signal) => resolve(code ?? signal)));
  }

  /** Resolves once it listens on `PORT`. @throws Error with its output when it ends first. */
  static async start(env: Record<string, string>, source = 'src/main.ts'): Promise<ServiceProcess> {
    const service = new ServiceProcess({ RATE_LIMITS: 'off', ...env }, source);
    const listens = Promise.withResolvers<'listens'>();
    service.child.stdout!.on('data', () => {
      if (service.output.includes('"msg":"listening"')) listens.resolve('listens');
    });
    const first = await Promise.race([listens.promise, service.ended]);
    if (first !== 'listens') throw new Error(`The service ended with ${first}:\n${service.output}`);
    return service;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /** SIGTERM. @returns its exit status. */
  async stop(): Promise<number | string | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}
