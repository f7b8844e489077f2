import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { Readme } from '../../scripts/fresh/readme.js';
import { IN_SERVICE } from '../../scripts/bundled-packages.mjs';
import { packageRoot } from '../../src/platform/package-root.js';
import { Client } from '../support/http/client.js';
import { freePort } from '../support/http/free-port.js';
import { scratchFolder } from '../support/scratch.js';
import { Collector } from '../support/tracing/collector.js';
import { until } from '../support/until.js';
import { atHome, cookieOf, PASSWORD } from '../support/worlds/people.js';
import { SoftPasskey } from '../users/passkeys/soft-passkey.js';

const run = promisify(execFile);
const JOURNEY = '### A workflow, and a hook that fires it';
const LIBRARY = '## Use it as a library';
/** The most packages of an installation, and the most space that they take on the disk. */
const MOST = { packages: 250, megabytes: 400 };

/** As at a user's: nothing of this checkout, so that `node` is that of the machine, whatever its version. */
const PATH = process.env
  .PATH!.split(delimiter)
  .filter((path) => isAbsolute(path) && !path.includes('node_modules'))
  .join(delimiter);

describe('the tarball of npm pack, in an empty folder', () => {
  const folder = scratchFolder('/tmp');
  let env: Record<string, string>;
  let service: ChildProcess | undefined;
  let collector: Collector;
  let key = '';
  let output = '';

  beforeAll(async () => {
    collector = await Collector.start();
    const port = await freePort();
    env = { PATH, HOME: folder, PORT: String(port), BASE_URL: `http://localhost:${port}` };
    // The checkout has what the build needs, also the Node.js.
    await run('npm', ['pack', '--pack-destination', folder], { cwd: packageRoot, maxBuffer: 2 ** 26 });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
    await run('npm', ['install', '--no-audit', '--no-fund', join(folder, tarball)], { cwd: folder, env });
  });
  afterAll(async () => {
    if (service?.exitCode === null && service.signalCode === null) process.kill(-service.pid!, 'SIGKILL');
    await collector.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });

  const npx = (...args: string[]) => run('npx', ['workflow-gateway', ...args], { cwd: folder, env });
  /** By its path, `node_modules/.bin` is not on PATH. */
  const direct = (...args: string[]) =>
    run(join(folder, 'node_modules/.bin/workflow-gateway'), args, { cwd: folder, env });

  const begin = (command: string, args: string[], more: Record<string, string>) => {
    service = spawn(command, args, { cwd: folder, env: { ...env, ...more }, detached: true });
    output = '';
    for (const stream of [service.stdout!, service.stderr!])
      stream.on('data', (text: Buffer) => (output += String(text)));
    return service;
  };
  const page = (cookie?: string) => atHome({ baseUrl: env.BASE_URL! }, cookie);

  it('installs few packages, which take little space', async () => {
    const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: object;
    };
    const { stdout } = await run('du', ['-s', '--block-size=1000000', 'node_modules'], { cwd: folder });
    const taken = { packages: Object.keys(lock.packages).length, megabytes: Number.parseInt(stdout, 10) };
    expect(taken.packages).toBeLessThanOrEqual(MOST.packages);
    expect(taken.megabytes).toBeLessThanOrEqual(MOST.megabytes);
  });

  it('has no package that is bundled, but its licence', () => {
    const has = (name: string) => existsSync(join(folder, 'node_modules', name));
    expect([...IN_SERVICE.filter(has), has('typeorm')]).toEqual([true]);
    const licences = readFileSync(join(folder, 'node_modules/workflow-gateway/dist/vendor/THIRD-PARTY.md'), 'utf8');
    for (const name of IN_SERVICE) expect(licences).toContain(`\n## ${name} `);
  });

  it('serves by `npx workflow-gateway start`, on the Node.js of the packages', async () => {
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
    service = begin('npx', ['workflow-gateway', 'start'], tracing);
    await until(() => output.includes('npx workflow-gateway keys create') || service!.exitCode !== null);
    expect([service.exitCode, output]).toEqual([null, expect.stringContaining('"msg":"listening"')]);
    const metrics = await (await fetch(`http://localhost:${env.PORT}/metrics`)).text();
    expect(/nodejs_version_info\{version="(v[\d.]+)"/.exec(metrics)?.[1]).toBe('v24.21.0');
    expect((await fetch(`http://localhost:${env.PORT}/`)).status).toBe(200);
  });

  it('follows the first journey of the README', async () => {
    key = (await direct('keys', 'create', '--label', 'first', '--scope', 'read-write')).stdout.trim();
    const block = new Readme(packageRoot)
      .block(JOURNEY)
      .replaceAll('http://localhost:4000', `http://localhost:${env.PORT}`);
    const typed = `set -euo pipefail\nexport KEY=${key}\n${block}`;
    const { stdout } = await run('bash', ['-c', typed], { cwd: folder, env: { ...env, PATH: process.env.PATH! } });
    for (const promised of ['"accepted":true', '"run_id":"run_', '"run_count":1']) expect(stdout).toContain(promised);
  });

  it('sends traces', async () => {
    await until(() => collector.spans.some(({ name }) => name === 'POST /hooks/{token}'));
    expect(collector.spans[0]!.resource).toMatchObject({ 'service.name': 'workflow-gateway' });
  });

  it('signs a person in by a password and by a passkey', async () => {
    const email = 'ada@people.example';
    const link = (await direct('users', 'invite', email)).stdout.trim();
    const token = link.split('/invitations/')[1]!;
    const joined = await page().send('POST', `/auth/invitations/${token}`, {
      body: { name: 'Ada', password: PASSWORD },
    });
    expect(joined.status).toBe(200);
    const entered = await page().send('POST', '/auth/sign-in/email', { body: { email, password: PASSWORD } });
    expect(entered.status).toBe(200);
    const person = page(cookieOf(entered.headers));

    const options = await person.send('POST', '/auth/passkeys/start', { body: { password: PASSWORD } });
    const passkey = new SoftPasskey(env.BASE_URL!);
    const created = { name: 'Laptop', response: passkey.create(options.body) };
    expect((await person.send('POST', '/auth/passkeys', { body: created })).status).toBe(200);
    const request = await page().send('POST', '/auth/sign-in/passkey/start', { body: {} });
    const signed = { response: passkey.get(request.body) };
    expect((await page().send('POST', '/auth/sign-in/passkey', { body: signed })).status).toBe(200);
  });

  it('refuses input by the rules of its classes', async () => {
    const client = new Client(env.BASE_URL!, key);
    const { status, body } = await client.rest('POST', '/webhooks', {
      body: { url: 'https://example.com', events: [] },
    });
    expect([status, body.code, body.details[0].field]).toEqual([400, 'validation_error', 'events']);
  });

  it('backs up, examines and describes itself beside the service, which stops by Ctrl-C', async () => {
    expect((await npx('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await npx('doctor')).stdout).not.toMatch(/^(?:failed|warning)/m);
    expect((await direct('backup', join(folder, 'backup'))).stdout).toContain('It also holds the encryption key');
    const ended = new Promise((resolve) => service!.once('close', resolve));
    process.kill(-service!.pid!, 'SIGINT');
    await ended;
    expect(output).toContain('"msg":"stopping"');
  });

  it('is a library, as the README says, with its types', async () => {
    const block = new Readme(packageRoot).block(LIBRARY, 'ts');
    const port = await freePort();
    writeFileSync(join(folder, 'app.mjs'), block.replace('8080', String(port)));
    // The Node.js of this process is one that the service supports; that of the machine may be older.
    const app = begin(process.execPath, ['app.mjs'], {});
    const client = new Client(`http://localhost:${port}`, key);
    await until(
      async () => app.exitCode !== null || (await client.send('GET', '/v1/workflows').catch(() => null)) !== null,
    );
    expect([app.exitCode, output]).toEqual([null, expect.anything()]);
    expect((await client.rest('GET', '/workflows')).status).toBe(200);

    const typed = `import { createServer, loadConfig, type Server } from 'workflow-gateway';
      export const server: Promise<Server> = createServer(loadConfig());
      // @ts-expect-error: it is no text
      export const wrong: Promise<string> = createServer(loadConfig());\n`;
    writeFileSync(join(folder, 'app.mts'), typed);
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023'];
    await run(process.execPath, [tsc, ...options, 'app.mts'], { cwd: folder, env });
  });
});
