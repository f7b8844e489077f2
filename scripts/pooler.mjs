// `npm run test:pooler`: tests of the service behind PgBouncer, Debian's package, which is installed where it is missing (as
// root). Arguments go to jest.
import { spawnSync } from 'node:child_process';
import { need } from './image/tools.mjs';

try {
  if (spawnSync('which', ['pgbouncer']).status !== 0) need({ pgbouncer: 'pgbouncer' });
  const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--config', 'jest.pooler.config.mjs'];
  process.exitCode = spawnSync(process.execPath, [...jest, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
} catch (error) {
  console.error(`test:pooler: ${error.message}`);
  process.exitCode = 1;
}
