import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Copy } from '../guide.js';

/** The time at which the clock of the blocks begins, in seconds. */
export const START = 1_800_000_000;

const SLEEP = '#!/bin/sh\necho "$1" >>"$PAUSES"\n';
const DATE = `#!/bin/sh\n[ -e "$PAUSES" ] || : >"$PAUSES"\nawk '{ s += $1 } END { printf "%d\\n", ${START} + s }' "$PAUSES"\n`;
const PYTHON_SLEEP = `import os, time
file = os.environ["PAUSES"]
time.sleep = lambda seconds: print(seconds, file=open(file, "a"))
`;
const PYTHON_CLOCK = `
def clock():
    return ${START} + (sum(float(line) for line in open(file)) if os.path.exists(file) else 0)
time.time = clock
`;

/** A stand-in for the service, and the blocks in a folder. Their pauses take no time. */
export class StandIn {
  private constructor(
    readonly copy: Copy,
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** @param clock of the blocks: each pause moves it, or it is that of the machine. */
  static async open(listener: RequestListener, clock: 'moved' | 'real' = 'moved'): Promise<StandIn> {
    const server = createServer((request, response) => {
      request.resume().on('end', () => listener(request, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const copy = new Copy({ BASE_URL: url, API_KEY: 'wfk_any', INTEGRATION_ID: 'int_any' });
    const programs = clock === 'moved' ? { sleep: SLEEP, date: DATE } : { sleep: SLEEP };
    for (const [name, code] of Object.entries(programs)) {
      copy.write(`bin/${name}`, code);
      chmodSync(join(copy.folder, 'bin', name), 0o755);
    }
    copy.write('bin/sitecustomize.py', clock === 'moved' ? PYTHON_SLEEP + PYTHON_CLOCK : PYTHON_SLEEP);
    return new StandIn(copy, url, server);
  }

  /** The environment of the blocks. */
  get env(): Readonly<Record<string, string>> {
    const bin = join(this.copy.folder, 'bin');
    const hook = { WEBHOOK_URL: `${this.url}/hooks/any`, HOOK_SECRET: 'any' };
    return { ...hook, PATH: `${bin}:${process.env.PATH}`, PYTHONPATH: bin, PAUSES: join(this.copy.folder, 'pauses') };
  }

  /** The seconds for which the blocks would have paused. */
  pauses(): number[] {
    const file = join(this.copy.folder, 'pauses');
    const text = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '';
    return text === '' ? [] : text.split('\n').map(Number);
  }

  close(): void {
    this.copy.close();
    this.server.closeAllConnections();
    this.server.close();
  }
}
