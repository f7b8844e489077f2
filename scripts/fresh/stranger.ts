import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { Fault, reasonIn } from './fault.js';

const ROOT = join(import.meta.dirname, '../..');

/** A user of this machine who has nothing but a checkout: whose home is empty, and whose folders have unusual names. */
export class Stranger {
  readonly home: string;
  readonly checkout: string;

  private constructor(
    /** Holds all that the stranger has; removed at the end. */
    readonly folder: string,
    readonly port: number,
    readonly name: string,
    /** As whom commands run, where that is not the present user. */
    readonly ids?: { uid: number; gid: number },
  ) {
    this.home = join(folder, 'home');
    this.checkout = join(folder, 'Zürich copy');
  }

  /** With a clone of the last commit; root becomes the user who owns nothing. @throws Fault where it can't be cloned. */
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

  /** No LANG, no settings of npm, nothing of this checkout's node_modules; a free port, since others may use 4000. */
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
