import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../../scripts/chromium/chromium.js';
import { findChromium } from '../../scripts/chromium/find-chromium.js';
import { describeInBrowser } from '../support/browser/in-browser.js';

const isPackagedFor = process.platform === 'linux' && process.arch === 'x64';

describeInBrowser('the browser that tests find', () => {
  const named = process.env.CHROMIUM_PATH;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'für die Suche '));
  });
  afterEach(() => {
    if (named === undefined) delete process.env.CHROMIUM_PATH;
    else process.env.CHROMIUM_PATH = named;
    rmSync(folder, { recursive: true, force: true });
  });

  it('is the one that CHROMIUM_PATH names', async () => {
    const executablePath = join(folder, 'a browser');
    writeFileSync(executablePath, '#!/bin/sh\necho Chromium', { mode: 0o755 });
    process.env.CHROMIUM_PATH = executablePath;
    expect(await findChromium(folder)).toEqual({ chromium: { executablePath, env: {} }, faults: [] });
  });

  it('is another one where that does not start, and says why', async () => {
    const executablePath = join(folder, 'a browser');
    writeFileSync(executablePath, '#!/bin/sh\necho error while loading libnss3.so >&2; exit 127', { mode: 0o755 });
    process.env.CHROMIUM_PATH = executablePath;
    const { chromium, faults } = await findChromium(folder);
    expect(faults[0]).toBe('CHROMIUM_PATH: error while loading libnss3.so');
    expect(chromium!.executablePath.startsWith(folder)).toBe(isPackagedFor);
    // In this folder, with a space and an umlaut in its name, it draws text: that of the packages in a font of its own.
    const browser = await launch(chromium!);
    const page = await browser.newPage();
    await page.setContent('<p style="font-family: sans-serif">Grüezi</p>');
    const session = await page.context().newCDPSession(page);
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    expect(fonts.map(({ familyName }) => (isPackagedFor ? familyName : 'any'))).toEqual([
      isPackagedFor ? 'Open Sans' : 'any',
    ]);
    await browser.close();
  });
});
