import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { start, stop, until } from '../ha/processes.mjs';

/** One version of the service as a process with both roles. */
export class Service {
  constructor({ name, folder, port, env, dir }) {
    Object.assign(this, { name, folder, port, log: `${dir}/${name}.log` });
    this.env = { PATH: process.env.PATH, RATE_LIMITS: 'off', ...env, PORT: String(port) };
  }

  async start() {
    this.running = start(process.execPath, ['dist/src/main.js'], { cwd: this.folder, log: this.log, env: this.env });
    void this.running.ended.then((how) => (this.end = how));
    await until(
      `${this.name} is ready`,
      async () => {
        if (!this.running.alive)
          throw Object.assign(new Error(`${this.name} ended while it started, see ${this.log}`), { fatal: true });
        return (await fetch(`http://127.0.0.1:${this.port}/readyz`)).ok;
      },
      120_000,
    );
  }

  async stop() {
    await stop(this.running, 60_000);
    return this.end;
  }

  makeKey() {
    const args = ['dist/src/process/cli/keys.js', 'create', '--label', this.name, '--scope', 'read-write'];
    return execFileSync(process.execPath, args, { cwd: this.folder, env: this.env, encoding: 'utf8' }).trim();
  }

  /** The messages of its log at the levels of faults, with their number. */
  faults() {
    const lines = readFileSync(this.log, 'utf8').split('\n');
    const faults = lines.flatMap((line) => {
      if (line === '') return [];
      try {
        const { level, msg, error } = JSON.parse(line);
        return ['error', 'fatal', 'warn'].includes(level) ? [`${level}: ${msg} ${error ?? ''}`.trim()] : [];
      } catch {
        // The lines around the set-up link are indented.
        return line.startsWith('  ') ? [] : [`plain: ${line}`];
      }
    });
    return [...Map.groupBy(faults, (fault) => fault)].map(([fault, all]) => `${all.length} × ${fault}`);
  }
}
