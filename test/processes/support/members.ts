import { readdirSync, readFileSync } from 'node:fs';
import { type ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';

const NO_PROCESS = /^(ENOENT|ESRCH)$/;

/** The ids of the processes that a service with PROCESSES > 1 has started to serve. */
export function membersOf({ pid }: { pid: number }): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all
    .map(Number)
    .filter((each) => parentOf(each) === pid && /^workflow-gateway\0|one-of-several/.test(of(each, 'cmdline')));
}

/** Kills a process with -9. */
export function kill(pid: number): void {
  process.kill(pid, 'SIGKILL');
}

/** Waits until as many processes have been started again, and serve. */
export async function returned(service: ServiceProcess, count: number): Promise<void> {
  await until(() => service.output.split('a process of the service runs again').length - 1 >= count);
}

/** True for a process that runs. One that has ended and whose parent has not noticed runs no more. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(of(pid, 'status'));
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(of(pid, 'status'))?.[1]);
}

function of(pid: number, file: 'cmdline' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    if (NO_PROCESS.test((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
