import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compiledSource } from '../support/compiled-source.js';
import { scratchFolder } from '../support/scratch.js';

const run = promisify(execFile);
/** Elsewhere the packages bring no Node.js, and these tests install one that is not looked for. */
const PLATFORM = `Object.defineProperty(process, 'platform', { value: 'linux' });`;

describe('the command and the Node.js of the packages', () => {
  // On the disk: the file system in memory may not allow programs to run.
  const folder = scratchFolder('/tmp');
  const main = join(folder, 'main.js');
  const packaged = join(folder, 'node_modules', `node-linux-${process.arch}`);

  /** Installs a program as the Node.js of the packages. */
  function install(version: string, program: string): void {
    mkdirSync(join(packaged, 'bin'), { recursive: true });
    writeFileSync(join(packaged, 'package.json'), JSON.stringify({ version }));
    writeFileSync(join(packaged, 'bin/node'), `#!/bin/sh\n${program}\n`);
    chmodSync(join(packaged, 'bin/node'), 0o755);
  }

  beforeAll(() => {
    copyFileSync(compiledSource('src/process/packaged-node.ts'), join(folder, 'packaged-node.js'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(
      main,
      `import { becomesPackagedNode } from './packaged-node.js';
       ${PLATFORM}
       if (process.argv[2] === 'child') process.execve = undefined;
       if (!becomesPackagedNode()) console.log('own', process.version);`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const started = (...args: string[]) => run(process.execPath, [main, ...args]);
  const FAKE = 'if [ "$1" = --version ]; then echo v99.0.0; else echo "packaged $$ $@"; fi';

  it('continues with its own without one, with the same one, and with one that does not run here', async () => {
    const own = `own ${process.version}\n`;
    expect((await started()).stdout).toBe(own);
    install(process.versions.node, 'exit 1');
    expect((await started()).stdout).toBe(own);
    install('99.0.0', 'exit 127');
    expect((await started()).stdout).toBe(own);
  });

  it('becomes the packaged one in the same process, with its arguments', async () => {
    install('99.0.0', FAKE);
    const child = spawn(process.execPath, [main, 'a b', '--c']);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(output).toBe(`packaged ${child.pid} ${main} a b --c\n`);
  });

  it('starts it as a child where a process cannot be replaced, and ends as it ends', async () => {
    install('99.0.0', `${FAKE}\n[ "$1" = --version ] || exit 3`);
    await expect(started('child')).rejects.toMatchObject({ code: 3, stdout: expect.stringMatching(/^packaged \d+ /) });
    install('99.0.0', `${FAKE}\n[ "$1" = --version ] || kill -TERM $$`);
    await expect(started('child')).rejects.toMatchObject({ code: null, signal: 'SIGTERM' });
  });
});
