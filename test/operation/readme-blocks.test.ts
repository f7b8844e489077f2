import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { COMPILE_CACHE, compiledSource } from '../support/compiled-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { freePort } from '../support/http/free-port.js';
import { scratchFolder } from '../support/scratch.js';
import { ServiceProcess } from '../support/service-process.js';

const README = readFileSync(join(packageRoot, 'README.md'), 'utf8');
const BLOCKS = [...README.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!);

/** Blocks that this test does not run, by their first words. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npm start':
    'installs and builds; `npm run test:fresh` runs it, and `ServiceProcess` starts the service here',
};
/** Blocks that a person ends with Ctrl-C, by their first words: they run in the background until the end. */
const UNTIL_STOPPED = ['curl -sSN http://localhost:4000/graphql/stream'];

/**
 * `npm run --silent keys -- …` without the build before it. The person behind an invitation accepts it at once, so that
 * the commands about a user have one. The end of the script ends what still runs in its process group.
 */
const PRELUDE = `set -euo pipefail
trap 'trap "" TERM; kill 0' EXIT
curl() { command curl --fail-with-body --max-time 60 "$@"; }
npm() {
  local printed
  printed=$(node --no-warnings "$CLI/$3.js" "\${@:5}")
  echo "$printed"
  if [[ $printed == */invitations/* ]]; then
    curl -sS -o /dev/null "$BASE_URL/auth/invitations/\${printed##*/}" -H "Origin: $BASE_URL" \\
      --json '{"name":"Ada","password":"correct horse battery"}'
  fi
}
`;

const begins = (block: string, words: readonly string[]) => words.some((start) => block.startsWith(start));

describe('the shell blocks of the README', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let env: Record<string, string>;
  const folder = join(scratchFolder(), 'data');

  beforeAll(async () => {
    database = await createTestDatabase();
    const port = String(await freePort());
    mkdirSync(folder, { recursive: true });
    env = {
      PORT: port,
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    };
    service = await ServiceProcess.start(env);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('run in their order against a new service, without an error', async () => {
    const script = BLOCKS.filter((block) => !begins(block, Object.keys(NOT_RUN)))
      .map((block) => (begins(block, UNTIL_STOPPED) ? `{\n${block}} &\n` : block))
      .join('\n')
      .replaceAll('http://localhost:4000', env.BASE_URL!);
    const { status, stdout, stderr } = await bash(PRELUDE + script, env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain('"errors"');
    for (const promised of PROMISED) expect(stdout).toContain(promised);
  });

  it('are all run, but for a short list that names blocks of the README', () => {
    expect(BLOCKS.length).toBeGreaterThan(10);
    for (const start of [...Object.keys(NOT_RUN), ...UNTIL_STOPPED]) {
      expect(BLOCKS.filter((block) => block.startsWith(start))).toHaveLength(1);
    }
  });
});

/** What the README says that its blocks print. */
const PROMISED = [
  '"accepted":true',
  '"run_count":1',
  '"status":"succeeded"',
  '"status":"PENDING"',
  '"status":"CONNECTED"',
  '"connect_url":"',
  '"cron":"*/5 * * * *"',
  '"name":"From GraphQL"',
  '/invitations/',
];

async function bash(script: string, env: Record<string, string>) {
  const cli = join(packageRoot, compiledSource('src/process/cli/keys.ts'), '..');
  const child = spawn('bash', ['-s'], {
    env: { PATH: process.env.PATH!, NODE_COMPILE_CACHE: COMPILE_CACHE, CLI: cli, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  child.stdin.end(script);
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { status, ...said };
}
