import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** What takes the place of programs that a machine lacks, as far as our lines for shells use them. */
const STAND_INS: Readonly<Record<string, string>> = {
  curl: `
    const [url, headers, args] = [{}, {}, process.argv.slice(2)];
    let method = 'GET', body, address;
    while (args.length > 0) {
      const word = args.shift();
      if (word === '-X') method = args.shift();
      else if (word === '-d') body = args.shift();
      else if (word === '-H') { const [name, ...rest] = args.shift().split(': '); headers[name] = rest.join(': '); }
      else address = word;
    }
    fetch(address, { method, headers, body }).then(async (answer) => process.stdout.write(await answer.text()));`,
  openssl: `
    const secret = process.argv[process.argv.indexOf('-hmac') + 1];
    const text = require('node:fs').readFileSync(0);
    console.log('(stdin)= ' + require('node:crypto').createHmac('sha256', secret).update(text).digest('hex'));`,
};

/** Runs a copied line, with the machine's own programs where it has them. @returns its output. */
export async function inShell(line: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shell-'));
  try {
    for (const [name, source] of Object.entries(STAND_INS)) {
      const path = join(folder, name);
      await writeFile(path, `#!${process.execPath}\n${source}\n`);
      await chmod(path, 0o755);
    }
    const env = { ...process.env, PATH: `${process.env.PATH ?? ''}${delimiter}${folder}` };
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
