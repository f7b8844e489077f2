import { type ChildProcess, spawn } from 'node:child_process';
import { COMPILE_CACHE, compiledSource } from './compiled-source.js';

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of `src/process/cli` as a separate process, with only this environment. */
export function shellCommand(name: string, env: Record<string, string>, args: string[]): Promise<Outcome> {
  return outcomeOf(spawnSource(`src/process/cli/${name}.ts`, env, args));
}

/** Runs `workflow-gateway` as a separate process, with only this environment. */
export function gateway(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  return outcomeOf(spawnGateway(env, ...args));
}

/** Starts `workflow-gateway`, for tests that end it. */
export function spawnGateway(env: Record<string, string>, ...args: string[]): ChildProcess {
  return spawnSource('src/bin.ts', env, args);
}

function spawnSource(source: string, env: Record<string, string>, args: string[]): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', compiledSource(source), ...args], {
    env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Waits for the end of a process. */
async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const outcome: Outcome = { status: null, stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (outcome.stdout += text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (outcome.stderr += text));
  outcome.status = await new Promise((resolve) => child.once('close', resolve));
  return outcome;
}
