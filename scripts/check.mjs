// The checks of a change besides its tests: one on each core, the longest first. Each prints its result when it ends.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const waiting = ['lint', 'types', 'format', 'boundaries', 'unused', 'emit --check', 'openapi', 'versions', 'licences'];
const failed = [];

await Promise.all(Array.from({ length: availableParallelism() }, inTurn));
if (failed.length > 0) console.error(`check: ${failed.join(', ')} failed, see above.`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function inTurn() {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const [script, ...args] = part.split(' ');
    const { ok, output } = await run('npm', ['run', '--silent', script, '--', ...args]);
    console.log(`${ok ? '✔' : '✘'} ${part}`);
    if (!ok) failed.push(part);
    if (!ok && output) console.error(output);
  }
}

function run(command, args) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}
