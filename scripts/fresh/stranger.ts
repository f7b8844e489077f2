import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { Fault, reasonIn } from './fault.js';

const ROOT = join(import.meta.dirname, '../..');

/** A user of this machine with nothing but a checkout: an empty home, and folders with unusual names. */
export class Stranger {
  readonly home: string;
  readonly checkout: string;

  private constructor(
    /** Contains all files of the stranger; removed at the end. */
    readonly folder: string,
    readonly port: number,
    readonly name: string,
    /** The user of commands, if not the current one. */
    readonly ids?: { uid: number; gid: number },
  ) {
    this.home = join(folder, 'home');
    this.checkout = join(folder, 'Zürich copy');
  }

  /**
   * Creates a stranger with a clone of the last commit; root switches to the user `nobody`. @throws Fault when cloning
   * fails.
   */
  static async arrive(): Promise<Stranger> {
    const ids = process.getuid?.() === 0 ? { uid: nobody('-u'), gid: nobody('-g') } : undefined;
    const folder = mkdtempSync(join(tmpdir(), 'fresh-'));
    const stranger = new Stranger(folder, await freePort(), ids ? 'nobody' : userInfo().username, ids);
    try {
      stranger.moveIn();
    } catch (error) {
      stranger.leave();
      throw error;
    }
    return stranger;
  }

  /** No LANG, no npm settings, nothing of this checkout's node_modules; a free port, since 4000 may be taken. */
  get env(): Record<string, string> {
    const folders = process.env.PATH!.split(delimiter);
    const PATH = folders.filter((path) => isAbsolute(path) && !path.includes('node_modules')).join(delimiter);
    return { HOME: this.home, PATH, TZ: 'Asia/Kathmandu', PORT: String(this.port) };
  }

  leave(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private moveIn(): void {
    chmodSync(this.folder, 0o755);
    mkdirSync(this.home, { mode: 0o700 });
    run('git', ['clone', '--quiet', ROOT, this.checkout]);
    if (this.ids) run('chown', ['-R', `${this.ids.uid}:${this.ids.gid}`, this.home, this.checkout]);
  }
}

function nobody(flag: '-u' | '-g'): number {
  return Number(run('id', [flag, 'nobody']));
}

function run(command: string, args: string[]): string {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Fault(command, reasonIn(stderr || message));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const listener = createServer().listen(0, () => {
      const { port } = listener.address() as AddressInfo;
      listener.close(() => resolve(port));
    });
  });
}
