import { spawn } from 'node:child_process';
import { COMPILE_CACHE, compiledSource } from './compiled-source.js';

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of `src/process/cli` as a separate process, with only this environment. */
export async function shellCommand(name: string, env: Record<string, string>, args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, ['--no-warnings', compiledSource(`src/process/cli/${name}.ts`), ...args], {
    env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome: Outcome = { status: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
  outcome.status = await new Promise((resolve) => child.once('close', resolve));
  return outcome;
}
