// `npm run licences`: checks in the lock file that every package installed with the service has a permissive licence.
import { readFileSync } from 'node:fs';

const PERMISSIVE = new Set(
  ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0'].concat([
    'PSF-2.0',
    'Unlicense',
  ]),
);
/** Build tools and the accepted licence of each: none of their code is in the build output. */
const BUILD_TOOLS = { lightningcss: 'MPL-2.0' };

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const faults = Object.entries(packages).flatMap(([path, { dev, license }]) => {
  if (path === '' || dev || isPermissive(license) || isBuildTool(path, license)) return [];
  return [`${path}: ${license === undefined ? 'names no licence' : `the licence ${license} is not permissive`}`];
});

for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Evaluates an SPDX expression: with `OR` one of its licences must be permissive, with `AND` each. */
function isPermissive(expression = '') {
  const terms = expression.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return terms.some((term) => term.split(' AND ').every((licence) => PERMISSIVE.has(licence)));
}

/** Whether a path is a build tool or its build for one platform: `lightningcss-linux-x64-gnu`. */
function isBuildTool(path, license) {
  const name = path.split('node_modules/').at(-1);
  return Object.entries(BUILD_TOOLS).some(([tool, own]) => own === license && `${name}-`.startsWith(`${tool}-`));
}
