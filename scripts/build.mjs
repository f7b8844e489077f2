// `npm run build`: compiles the service, GraphiQL, the pages of docs/ and the dashboard, each only when its inputs have
// changed since its last build; `dist/build.json` stores their digests. Without changes it ends within a fraction of a
// second. Names as arguments (`service`, `graphiql`, `docs`, `dashboard`) limit it to those parts.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './build-lock.mjs';

const root = join(import.meta.dirname, '..');
const record = join(root, 'dist/build.json');
const always = ['package-lock.json', 'scripts/build.mjs'];
const inDashboard = (file) => file.startsWith('src/dashboard');

/** Each part: its inputs, a file that proves its presence, and the commands that build it, one after the other. */
const parts = {
  service: {
    inputs: [
      'tsconfig.json',
      'tsconfig.build.json',
      'ormconfig.ts',
      'scripts/bundle-service.mjs',
      'scripts/bundled-packages.mjs',
      ...files('scripts/bundle-service/*.mjs'),
      ...files('src/**/*.ts', inDashboard),
    ],
    proof: 'dist/src/main.js',
    commands: [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], ['scripts/bundle-service.mjs']],
  },
  graphiql: {
    inputs: [
      'scripts/build-graphiql.mjs',
      'scripts/precompress.mjs',
      ...files('src/transports/developers/browser/*.*'),
    ],
    proof: 'dist/graphiql/manifest.json',
    commands: [['scripts/build-graphiql.mjs']],
  },
  docs: {
    inputs: ['scripts/build-docs.mjs', 'docs/catalog.md', 'docs/clients.md', ...files('docs/reference/*.md')],
    proof: 'dist/docs/pages.json',
    commands: [['scripts/build-docs.mjs']],
  },
  dashboard: {
    inputs: [
      'scripts/build-dashboard.mjs',
      'scripts/precompress.mjs',
      ...files('src/dashboard/**/*.{ts,tsx,js,css,html,json,svg}'),
    ],
    proof: 'dist/dashboard/index.html',
    commands: [['scripts/build-dashboard.mjs']],
  },
};

let built = {};
const asked = process.argv.slice(2);
// Several processes may build at once, e.g. tests and a start: the second one waits and finds the parts built.
await withLock(join(root, 'dist/.build-lock'), async () => {
  built = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  const wanted = Object.entries(parts).filter(([name]) => asked.length === 0 || asked.includes(name));
  const stale = wanted.filter(([name, part]) => !isCurrent(name, part));
  // On standard error: the output of `keys` is read by scripts.
  if (stale.length > 0) {
    if (!existsSync(join(root, 'node_modules/typescript')))
      return fail('The build needs the development packages: run `npm ci --include=dev`.');
    console.error(`Building ${stale.map(([name]) => name).join(', ')}, once; this takes up to a minute.`);
  }
  const results = await Promise.all(stale.map(([name, part]) => make(name, part)));
  process.exitCode = results.every(Boolean) ? 0 : 1;
});

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

function isCurrent(name, { inputs, proof }) {
  return built[name] === digestOf(inputs) && existsSync(join(root, proof));
}

/** Builds a part. @returns false when the build failed. */
async function make(name, { inputs, proof, commands }) {
  const digest = digestOf(inputs);
  // Until the part is rebuilt, the record must not name it as current.
  keep(name, undefined);
  // tsc skips files that its own record knows, even if they are gone.
  if (name === 'service' && !existsSync(join(root, proof))) rmSync(join(root, 'dist/.tsbuildinfo'), { force: true });
  for (const command of commands) if ((await run(command)) !== 0) return false;
  keep(name, digest);
  return true;
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
