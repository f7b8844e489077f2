import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../src/platform/package-root.js';
import { nodeFault, OLDEST_NODE } from '../../src/process/node-version.js';
import { compiledSource } from '../support/compiled-source.js';

/** A module that runs before the service and gives `process` another version. */
const OLD = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`;

describe('the version of Node.js', () => {
  it('is one that package.json demands', () => {
    const { engines } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
    expect(nodeFault(process.versions.node)).toBeUndefined();
  });

  it.each([
    ['22.19.0', true],
    ['22.20.1', true],
    ['24.0.0', true],
    ['22.18.9', false],
    ['20.20.2', false],
    ['8.0.0', false],
  ])('%s is enough: %s', (version, isEnough) => {
    expect(nodeFault(version) === undefined).toBe(isEnough);
  });

  it('ends the start with one line and status 78 when it is too old', async () => {
    const args = ['--import', `data:text/javascript,${encodeURIComponent(OLD)}`, compiledSource('src/main.ts')];
    const child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([status, stderr.trim().split('\n')]).toEqual([
      78,
      [expect.stringContaining('needs Node.js 22.19 or newer')],
    ]);
  });
});
