// `npm run licences`: checks in the lock file that every package installed with the service, or bundled into it or its
// pages, has a permissive licence.
import { readFileSync } from 'node:fs';
import { IN_PAGES, IN_SERVICE, withDependencies } from './bundled-packages.mjs';

const PERMISSIVE = new Set(
  ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0'].concat([
    'PSF-2.0',
    'Unlicense',
  ]),
);

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const bundled = withDependencies(packages, [...IN_SERVICE, ...IN_PAGES]);
const faults = Object.entries(packages).flatMap(([path, { dev, license }]) => {
  if (path === '' || (dev && !bundled.has(path)) || isPermissive(license)) return [];
  return [`${path}: ${license === undefined ? 'names no licence' : `the licence ${license} is not permissive`}`];
});

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Evaluates an SPDX expression: with `OR` one of its licences must be permissive, with `AND` each. */
function isPermissive(expression = '') {
  const terms = expression.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return terms.some((term) => term.split(' AND ').every((licence) => PERMISSIVE.has(licence)));
}
