import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { describe } from '@jest/globals';
import { scratchFolder } from '../support/scratch.js';

const FENCE = /^```(\w+) (\S+)\n([\s\S]*?)^```$/gm;

/** The blocks of docs/clients.md, by the names of their files. */
export const BLOCKS: ReadonlyMap<string, string> = new Map(
  [...readFileSync(join(packageRoot, 'docs/clients.md'), 'utf8').matchAll(FENCE)].map(([, , name, code]) => [
    name!,
    code!,
  ]),
);

const SHELLS: Readonly<Record<string, string>> = { '.mjs': process.execPath, '.py': 'python3', '.sh': 'bash' };

/** A block that runs. */
export interface Running {
  /** The lines that it has written. */
  readonly lines: string[];
  /** What it has written to its standard error. */
  readonly errors: string;
  /** Its exit code, once it has ended. */
  readonly exit: Promise<number | null>;
}

/** A folder with the blocks as files, as a reader would copy them. */
export class Copy {
  readonly folder = scratchFolder();
  private readonly running = new Set<ChildProcess>();

  constructor(private readonly env: Readonly<Record<string, string>>) {
    symlinkSync(join(packageRoot, 'node_modules'), join(this.folder, 'node_modules'));
    for (const [name, code] of BLOCKS) writeFileSync(join(this.folder, name), code);
  }

  write(name: string, code: string): void {
    mkdirSync(join(this.folder, name, '..'), { recursive: true });
    writeFileSync(join(this.folder, name), code);
  }

  /** Starts a file; `input` is its standard input. */
  start(name: string, env: Readonly<Record<string, string>> = {}, input = ''): Running {
    const child = spawn(SHELLS[extname(name)]!, [name], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...this.env, ...env },
      stdio: 'pipe',
    });
    this.running.add(child);
    child.stdin.on('error', () => undefined).end(input);
    const lines: string[] = [];
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const found = (rest + chunk).split('\n');
      rest = found.pop()!;
      lines.push(...found);
    });
    const run = { lines, errors: '', exit: undefined as unknown as Promise<number | null> };
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (run.errors += chunk));
    run.exit = once(child, 'close').then(([code]) => {
      child.stdin.destroy();
      this.running.delete(child);
      return code as number | null;
    });
    return run;
  }

  /** The lines of a file that ends well. @throws Error with what it wrote if it fails. */
  async run(name: string, env: Readonly<Record<string, string>> = {}, input = ''): Promise<string[]> {
    const run = this.start(name, env, input);
    const code = await run.exit;
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${run.errors}${run.lines.join('\n')}`);
    return run.lines;
  }

  close(): void {
    for (const child of this.running) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** `describe` for tests that need these programs. Where one is missing they are not run, and the last lines say so. */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (missing.length === 0) describe(name, tests);
  else describe.skip(`${name} (without ${missing.join(', ')})`, tests);
}
