// Writes the SBOM (CycloneDX) to standard output: what an installation contains, and what is bundled into the service and its
// pages. `npm sbom --omit dev` would lack the bundled packages, and those that a development package needs, too.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { IN_PAGES, IN_SERVICE, withDependencies } from './bundled-packages.mjs';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const bundled = withDependencies(packages, [...IN_SERVICE, ...IN_PAGES]);
const shipped = Object.entries(packages).filter(
  ([path, { dev, devOptional }]) => bundled.has(path) || !(dev || devOptional),
);
const refs = new Set(shipped.map(([path, one]) => `${one.name ?? path.split('node_modules/').at(-1)}@${one.version}`));

const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
const sbom = JSON.parse(execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], options));
sbom.components = sbom.components.filter((component) => refs.has(component['bom-ref'])).map(asShipped);
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
console.log(JSON.stringify(sbom, null, 2));

/** npm marks a bundled package as one of development only. */
function asShipped(component) {
  const properties = component.properties.filter(({ name }) => name !== 'cdx:npm:package:development');
  return { ...component, properties };
}
