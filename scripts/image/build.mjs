import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './tools.mjs';

const root = join(import.meta.dirname, '../..');
const RELEASE = 'bookworm';
/** As in Debian's slim image: no documentation, no package lists. */
const SLIM = [
  ...['doc', 'man', 'info', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
  '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/apt/* "$1"/var/cache/debconf/*',
];

/**
 * Builds the image of the last commit on a base of Debian's packages. @returns its name, its size in MB, and `buildah`, which runs a
 * command of buildah on the storage of this test.
 */
export function buildImage(folder) {
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
  const buildah = (...args) => run('buildah', [...storage, ...args], { env }).trim();

  const base = join(folder, 'base.tar');
  run('mmdebstrap', ['--variant=essential', '--include=libstdc++6', ...SLIM, RELEASE, base]);
  image(buildah, 'scratch', 'localhost/base', (container) => buildah('add', container, base, '/'));
  image(buildah, 'localhost/base', 'localhost/build', (container) => addNode(buildah, container));

  const context = join(folder, 'context');
  run('sh', ['-c', `mkdir "$1" && git archive HEAD | tar -x -C "$1"`, 'sh', context], { cwd: root });
  const images = ['--build-arg', 'BUILD_IMAGE=localhost/build', '--build-arg', 'BASE_IMAGE=localhost/base'];
  // OCI's own format has no health check.
  buildah(
    'bud',
    '--quiet',
    '--format',
    'docker',
    '--file',
    join(context, 'Containerfile'),
    ...images,
    '--tag',
    'localhost/gateway',
    context,
  );
  return {
    name: 'localhost/gateway',
    megabytes: size(buildah, 'gateway'),
    baseMegabytes: size(buildah, 'base'),
    buildah,
  };
}

/** Makes an image of another one and what `change` does to it. */
function image(buildah, from, name, change) {
  const container = buildah('from', from);
  change(container);
  buildah('commit', '--quiet', '--rm', container, name);
}

/** Node.js and npm of this machine, with its settings and certificates for the registry. */
function addNode(buildah, container) {
  const npm = run('npm', ['root', '--global']).trim();
  buildah('copy', '--quiet', container, process.execPath, '/usr/bin/node');
  buildah('copy', '--quiet', container, join(npm, 'npm'), '/usr/lib/node_modules/npm');
  buildah('run', container, '--', 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/bin/npm');
  for (const file of ['/etc/ssl/certs/ca-certificates.crt', '/usr/etc/npmrc']) {
    if (existsSync(file)) buildah('copy', '--quiet', container, file, file);
  }
}

function size(buildah, name) {
  const [found] = JSON.parse(buildah('images', '--json', `localhost/${name}`));
  const [, number, unit] = /^([\d.]+) (kB|MB|GB)$/.exec(found.size);
  return Math.ceil(number * { kB: 0.001, MB: 1, GB: 1_000 }[unit]);
}
