// Runs the tests repeatedly while one core is busy, and once more in another order of files, to reveal tests that
// depend on luck or speed. Arguments go to Jest; LUCK_ROUNDS is the number of rounds, FILE_ORDER repeats an order.
import { spawn, spawnSync } from 'node:child_process';

const rounds = Number(process.env.LUCK_ROUNDS ?? 5);
const order = process.env.FILE_ORDER ?? String(Date.now());
const failed = [];

const busy = spawn(process.execPath, ['-e', 'for (;;);']);
for (let round = 1; round <= rounds; round += 1) run(`run ${round} of ${rounds} with a core kept busy`);
busy.kill();
run(`run in another order: FILE_ORDER=${order}`, { FILE_ORDER: order });

console.log(failed.length === 0 ? `${rounds + 1} runs passed.` : `Failed: ${failed.join('; ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

function run(name, env = {}) {
  console.log(name);
  const options = { stdio: 'inherit', env: { ...process.env, ...env }, shell: process.platform === 'win32' };
  const { status } = spawnSync('npm', ['test', '--', ...process.argv.slice(2)], options);
  if (status !== 0) failed.push(name);
}
