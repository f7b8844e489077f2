import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems assign to `listen(0)` and to outgoing connections (from 32,768 on Linux): the system
 * assigns the port to no other use between search and listen, or while a process restarts on it. Above 10,080, the
 * last port that `fetch` and browsers refuse to call.
 */
const FIRST = 10_100;
const BLOCK = 100;
const BLOCKS = 220;

/** Each process searches its own block: workers are started one after another, and so have different ids. */
const start = FIRST + (process.pid % BLOCKS) * BLOCK;
/** Random, as each test file loads this module again. */
let next = Math.floor(Math.random() * BLOCK);

/** A port without a listener that this process returns to no other caller soon. @throws Error when all are taken. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < BLOCK; tried += 1) {
    const port = start + next;
    next = (next + 1) % BLOCK;
    if (await isFree(port)) return port;
  }
  throw new Error(`Each port from ${start} to ${start + BLOCK - 1} is taken.`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port);
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
