import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { type Answer } from './answering.js';

/** How a child process is started. */
export interface ChildOptions {
  env?: Record<string, string>;
  /** Adds the questions of `meter.ts`. */
  metered?: boolean;
}

const METER = new URL('./meter.js', import.meta.url).href;

/** A child process that answers questions over IPC. Its stdout is discarded, its stderr is that of the parent. */
export class Child {
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>();
  private asked = 0;
  private stopping = false;

  private constructor(
    private readonly process: ChildProcess,
    private readonly file: string,
  ) {
    process.on('message', ({ id, result, error }: Answer) => {
      const question = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) question?.resolve(result);
      else question?.reject(new Error(error));
    });
    process.once('exit', (code, signal) => this.end(String(code ?? signal)));
  }

  static start(file: string, { env = {}, metered = false }: ChildOptions = {}): Child {
    const output = openSync('/dev/null', 'w');
    return new Child(
      fork(file, {
        env: { PATH: process.env.PATH, ...env },
        execArgv: metered ? ['--import', METER] : [],
        stdio: ['ignore', output, 'inherit', 'ipc'],
      }),
      file,
    );
  }

  /** Asks a question. @throws Error with the child's error, or when the child ends first. */
  async ask<T>(name: string, payload?: unknown): Promise<T> {
    const id = (this.asked += 1);
    const question = Promise.withResolvers<unknown>();
    this.waiting.set(id, question);
    this.process.send({ id, name, payload });
    return (await question.promise) as T;
  }

  get pid(): number {
    return this.process.pid!;
  }

  /** Sends SIGTERM and waits for the end; with `patience`, in milliseconds, SIGKILL afterwards. */
  async stop(patience?: number): Promise<void> {
    this.stopping = true;
    if (this.hasEnded) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    const timer = patience === undefined ? undefined : setTimeout(() => this.process.kill('SIGKILL'), patience);
    await ended;
    clearTimeout(timer);
  }

  /** Whether the process has ended. */
  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  private end(how: string): void {
    if (!this.stopping) process.stderr.write(`${this.file} ended by itself (${how}).\n`);
    for (const { reject } of this.waiting.values()) reject(new Error(`${this.file} ended (${how}).`));
    this.waiting.clear();
  }
}
