import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../support/http/free-port.js';
import { scratchFolder } from '../../support/scratch.js';
import { until } from '../../support/until.js';

/** PgBouncer with its default settings but for those given, on a free port, in front of one server. */
export class PgBouncer {
  private child: ChildProcess | undefined;
  /** Its log. */
  output = '';

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly server: URL,
  ) {}

  static async start(serverUrl: string, settings: Record<string, string>): Promise<PgBouncer> {
    const bouncer = new PgBouncer(scratchFolder(), await freePort(), new URL(serverUrl));
    const { hostname, port, username, password } = bouncer.server;
    const file = (name: string, lines: string[]): string => {
      const path = join(bouncer.folder, name);
      writeFileSync(path, `${lines.join('\n')}\n`);
      return path;
    };
    const users = file('users.txt', [`"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"`]);
    file('pgbouncer.ini', [
      '[databases]',
      `* = host=${hostname === 'localhost' ? '127.0.0.1' : hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${bouncer.port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${users}`,
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    ]);
    await bouncer.run();
    return bouncer;
  }

  /** The same database through the pooler. */
  urlOf(serverUrl: string): string {
    const url = new URL(serverUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async run(): Promise<void> {
    // It refuses to run as root.
    const user = process.getuid!() === 0 ? ids('postgres') : undefined;
    if (user !== undefined) chownSync(this.folder, user.uid, user.gid);
    this.child = spawn('pgbouncer', [join(this.folder, 'pgbouncer.ini')], {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    await until(() => accepts(this.urlOf(this.server.href)));
  }

  /** kill -9: its clients and its connections to the server are cut. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.child!.once('exit', resolve));
    this.child!.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function ids(user: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function accepts(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
