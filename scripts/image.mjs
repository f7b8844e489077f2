// `npm run test:image`: builds the image of the Containerfile without a registry of images, and follows the first journey in
// it: as its user, with a read-only file system. Also checks compose.yaml and the files of `deploy`. Needs Linux and root; Debian's
// packages of the programs are installed where they are missing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDeployment } from './image/deployment.mjs';
import { buildImage } from './image/build.mjs';
import { firstJourney } from './image/journey.mjs';
import { need } from './image/tools.mjs';

/** The largest image, in MB. */
const MAX_MB = 450;

let image;
const folder = mkdtempSync(join(tmpdir(), 'image-'));
try {
  need({ buildah: 'buildah', mmdebstrap: 'mmdebstrap', 'docker-compose': 'docker-compose', haproxy: 'haproxy' });
  need({ promtool: 'prometheus', 'systemd-analyze': 'systemd' });
  checkDeployment(folder);
  image = buildImage(folder);
  if (image.megabytes > MAX_MB) throw new Error(`The image has ${image.megabytes} MB, more than ${MAX_MB}.`);
  await firstJourney(image, folder);
  console.log(`test:image: passed; ${image.megabytes} MB, of which the base has ${image.baseMegabytes}.`);
} catch (error) {
  console.error(`test:image: ${error.message}`);
  process.exitCode = 1;
} finally {
  image?.buildah('umount', '--all');
  rmSync(folder, { recursive: true, force: true });
}
