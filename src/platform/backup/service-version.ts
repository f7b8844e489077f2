import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.js';

/** The version of the service, of package.json. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** Whether one version comes after another; what follows the three numbers is ignored. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[-+]/)[0]!.split('.').map(Number));
  const index = a!.findIndex((number, place) => number !== b![place]);
  return index >= 0 && a![index]! > (b![index] ?? 0);
}
