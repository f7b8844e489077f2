import { readFileSync } from 'node:fs';

/**
 * Versions below these have a known vulnerability. They are refused without a registry's audit, in nested copies too.
 */
const FLOORS = { '@apollo/server': '5.5.0', ws: '8.21.1', typeorm: '1.1.0' };
/** Other versions do not work with the rest (docs/decisions). */
const PINS = {
  graphql: '16.15.0',
  'type-graphql': '2.0.0-rc.4',
  'pg-boss': '12.35.0',
  '@swc/core': '1.16.18',
  'unrs-resolver': '1.12.2',
};

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const { dependencies, devDependencies, optionalDependencies } = read('package.json');
const { packages } = read('package-lock.json');
const faults = [];

for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)) faults.push(`${name}: "${range}" is no exact version`);
}
for (const [path, { version, resolved, link }] of Object.entries(packages)) {
  if (path === '' || link) continue;
  const name = path.split('node_modules/').at(-1);
  if (resolved !== undefined) faults.push(`${path}: the lock file names a registry's host (${resolved})`);
  if (name in FLOORS && isBelow(version, FLOORS[name])) faults.push(`${path}: ${version} is below ${FLOORS[name]}`);
  if (name in PINS && version !== PINS[name]) faults.push(`${path}: ${version} instead of ${PINS[name]}`);
}
// A registry that lacks the build for one platform produces a lock file that `npm ci` refuses on every platform.
for (const [path, { optionalDependencies: builds }] of Object.entries(packages)) {
  const missing = Object.keys(builds ?? {}).filter((name) => !isLocked(name));
  if (missing.length > 0) faults.push(`${path}: the lock file lacks ${missing.join(', ')}; npm ci fails`);
}

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

function isLocked(name) {
  return Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`));
}

function isBelow(version, floor) {
  const [have, want] = [version, floor].map((text) => text.split('-', 1)[0].split('.').map(Number));
  const at = want.findIndex((number, index) => have[index] !== number);
  return at >= 0 && have[at] < want[at];
}
