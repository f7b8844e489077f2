import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { scratchFolder } from '../../support/scratch.js';

/** The user of a holding process: `spawn` options, empty for the current user. */
export interface Caller {
  name: string;
  as: { uid?: number; gid?: number };
}

const here = import.meta.dirname;
const NOBODY: Caller = { name: 'nobody', as: { uid: 65_534, gid: 65_534 } };
const canRead = (as: Caller['as']) =>
  spawnSync('/bin/sh', ['-c', '[ -x "$0" ] && [ -r "$1" ]', process.execPath, join(here, 'holder.ts')], as).status ===
  0;

/** True when the tests run as root, so that cases of root can be tested. */
export const IS_ROOT = process.getuid?.() === 0;

/** The current user, and under root an ordinary user too, if that one can read the checkout. */
export const CALLERS: Caller[] = [
  { name: IS_ROOT ? 'root' : 'an ordinary user', as: {} },
  ...(IS_ROOT && canRead(NOBODY.as) ? [NOBODY] : []),
];

/** A new folder of the caller that other users may pass through. */
export function makeFolder({ as }: Caller = { name: '', as: {} }): string {
  const folder = scratchFolder();
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid ?? as.uid);
  return folder;
}

interface HolderEvent {
  url?: string;
  dataDir?: string;
  log?: string;
  acknowledged?: number;
  error?: string;
  message?: string;
}

const running = new Set<HoldingProcess>();

/** Ends processes that a test left running and removes its folders. */
export async function cleanUp(...folders: string[]): Promise<void> {
  await Promise.all([...running].map((holder) => holder.stop()));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** A running `holder.ts`, and its events so far. */
export class HoldingProcess {
  readonly events: HolderEvent[] = [];
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;

  constructor(kind: 'service' | 'command', dataDir: string, { as }: Partial<Caller> = {}, ...rest: string[]) {
    const args = ['--import', join(here, 'strip-types.mjs'), join(here, 'holder.ts'), kind, dataDir, ...rest];
    this.child = spawn(process.execPath, args, { ...as, stdio: ['pipe', 'pipe', 'inherit'] });
    this.ended = new Promise((resolve) => this.child.on('close', () => resolve()));
    createInterface(this.child.stdout!).on('line', (line) => this.events.push(JSON.parse(line) as HolderEvent));
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  /** Resolves with the first event that matches. */
  async event(fits: (event: HolderEvent) => boolean): Promise<HolderEvent> {
    for (;;) {
      const event = this.events.find(fits);
      if (event) return event;
      if (!running.has(this)) throw new Error(`It ended after ${JSON.stringify(this.events)}`);
      await sleep(5);
    }
  }

  async ready(): Promise<{ url: string; dataDir: string }> {
    const { url, dataDir } = await this.event((event) => event.url !== undefined);
    return { url: url!, dataDir: dataDir! };
  }

  get hasEnded(): boolean {
    return !running.has(this);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<void> {
    this.child.stdin!.end();
    await this.ended;
  }
}

/** Runs one statement on a separate connection. */
export async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The process id of the server on a data directory. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** True when the process exists, under any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Waits until a fact holds, at most 20 s. */
export async function until(fact: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!fact()) {
    if (Date.now() > deadline) throw new Error('It did not come about within 20 s.');
    await sleep(5);
  }
}
