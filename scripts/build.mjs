// `npm run build`: compiles the service, GraphiQL and the dashboard, each only when its inputs have changed since it was
// last built; `dist/build.json` keeps their digests. Nothing changed: it ends within a fraction of a second. Names as
// arguments (`service`, `graphiql`, `dashboard`) build only these.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './build-lock.mjs';

const root = join(import.meta.dirname, '..');
const record = join(root, 'dist/build.json');
const always = ['package-lock.json', 'scripts/build.mjs'];
const inDashboard = (file) => file.startsWith('src/dashboard');

/** Each part: what it is made of, a file that proves it is there, and the command that makes it. */
const parts = {
  service: {
    inputs: ['tsconfig.json', 'tsconfig.build.json', 'ormconfig.ts', ...files('src/**/*.ts', inDashboard)],
    proof: 'dist/src/main.js',
    command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  },
  graphiql: {
    inputs: ['scripts/build-graphiql.mjs', ...files('src/transports/developers/browser/*.*')],
    proof: 'dist/graphiql/manifest.json',
    command: ['scripts/build-graphiql.mjs'],
  },
  dashboard: {
    inputs: ['scripts/build-dashboard.mjs', ...files('src/dashboard/**/*.{ts,tsx,js,css,html,json,svg}')],
    proof: 'dist/dashboard/index.html',
    command: ['scripts/build-dashboard.mjs'],
  },
};

let built = {};
const asked = process.argv.slice(2);
// Tests in several processes, or a start beside them: the second waits, and finds it done.
await withLock(join(root, 'dist/.build-lock'), async () => {
  built = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  const wanted = Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name));
  const results = await Promise.all(wanted.map(([name, part]) => make(name, part)));
  process.exitCode = results.every(Boolean) ? 0 : 1;
});

/** True when the part is there, made of what its inputs are now. */
async function make(name, { inputs, proof, command }) {
  const digest = digestOf(inputs);
  if (built[name] === digest && existsSync(join(root, proof))) return true;
  // Until it is made anew, the record must not vouch for it.
  keep(name, undefined);
  // tsc writes anew only what its own record does not know.
  if (name === 'service' && !existsSync(join(root, proof))) rmSync(join(root, 'dist/.tsbuildinfo'), { force: true });
  const made = (await run(command)) === 0;
  if (made) keep(name, digest);
  return made;
}

function keep(name, digest) {
  built[name] = digest;
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(record, `${JSON.stringify(built, null, 2)}\n`);
}

function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
}

function files(pattern, exclude = () => false) {
  return globSync(pattern, { cwd: root, exclude }).sort();
}

function digestOf(inputs) {
  const hash = createHash('sha256');
  for (const file of [...always, ...inputs])
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}
