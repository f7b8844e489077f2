import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { profileFaults } from './compose-profiles.ts';
import { run } from './tools.mjs';

const root = join(import.meta.dirname, '../..');
const SECRETS = { ENCRYPTION_KEY: 'key', POSTGRES_PASSWORD: 'password' };

/** Checks compose.yaml by the schema of compose, that each profile starts what it should, and that it demands its secrets, and the other files of `deploy` by their programs. */
export function checkDeployment(folder) {
  const config = (env) =>
    run('docker-compose', ['-f', 'compose.yaml', 'config'], { cwd: root, env: { ...process.env, ...env } });
  const faults = profileFaults(parse(config(SECRETS)));
  if (faults.length > 0) throw new Error(`compose.yaml: ${faults.join(' ')}`);
  for (const name of Object.keys(SECRETS)) {
    let isRefused = false;
    try {
      config({ ...SECRETS, [name]: '' });
    } catch {
      isRefused = true;
    }
    if (!isRefused) throw new Error(`compose.yaml works without ${name}.`);
  }
  // Without Docker there is no DNS that knows the processes: HAProxy says so, and the file is valid.
  const text = readFileSync(join(root, 'deploy/haproxy/compose.cfg'), 'utf8');
  const copy = join(folder, 'haproxy.cfg');
  writeFileSync(copy, text.replaceAll('init-addr libc,none', 'init-addr none'));
  run('haproxy', ['-c', '-f', copy]);
  run('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yml'], { cwd: root });
  checkUnit(folder);
}

/** `systemd-analyze verify` wants the program of a unit to exist: here it is the Node.js that runs this script. */
function checkUnit(folder) {
  const text = readFileSync(join(root, 'deploy/systemd/workflow-gateway.service'), 'utf8');
  const copy = join(folder, 'workflow-gateway.service');
  writeFileSync(copy, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  // It ends with status 0 whatever it finds.
  const found = run('sh', ['-c', 'exec systemd-analyze verify --man=no "$0" 2>&1', copy]).trim();
  if (found !== '') throw new Error(found);
}
