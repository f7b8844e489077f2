import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Chromium } from './chromium.js';

/**
 * Open Sans of the package, so that texts have the same width everywhere; for code and other scripts the machine's
 * fonts, if present.
 */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <alias>
    <family>monospace</family>
    <prefer><family>DejaVu Sans Mono</family><family>Liberation Mono</family><family>Noto Sans Mono</family></prefer>
  </alias>
  <match><edit name="family" mode="append_last"><string>Open Sans</string></edit></match>
</fontconfig>
`;

/**
 * Unpacks the packaged Chromium with its libraries and fonts into a folder. @throws Error on an unsupported platform.
 */
export async function unpackChromium(folder: string): Promise<Chromium> {
  const { platform, arch } = process;
  if (platform !== 'linux' || arch !== 'x64') throw new Error(`for Linux x64 alone; this is ${platform} ${arch}`);
  // In a separate process: the package reads its folder from the environment, and changes the environment.
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'unpack.mjs')], {
    // The package unpacks its libraries only on a system that it takes for AWS Lambda.
    env: { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
  });
  const { executablePath, libraries } = JSON.parse(stdout) as { executablePath: string; libraries: string };
  const fonts = join(folder, 'fonts.conf');
  writeFileSync(fonts, FONTS);
  const { LD_LIBRARY_PATH } = process.env;
  const env = {
    LD_LIBRARY_PATH: LD_LIBRARY_PATH ? libraries + delimiter + LD_LIBRARY_PATH : libraries,
    FONTCONFIG_FILE: fonts,
  };
  return { executablePath, env };
}
