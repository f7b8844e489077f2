import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Browser } from 'playwright-core';
import { packageRoot } from '../../src/platform/package-root.js';
import { launchChromium } from '../support/browser/chromium-of-run.js';
import { describeInBrowser } from '../support/browser/in-browser.js';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';

const CLIENTS = ['apollo', 'urql', 'graphql-ws', 'graphql-sse'];

/** What a page has in place of Node.js. */
const IN_PAGE = ['process.env=settings', 'process.exit=close'];

/** A page of another origin with one of the clients of the guide, and what it has said. */
interface ClientPage {
  id: string;
  said: string[];
  grant: () => Promise<void>;
}

describeInBrowser('the clients of the guide in pages of another origin', () => {
  let origin: Server;
  let originUrl: string;
  let world: ClientWorld;
  let browser: Browser;

  beforeAll(async () => {
    origin = createServer((request, response) => {
      const name = request.url!.slice(1);
      const isScript = name.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      if (!isScript)
        response.end(`<!doctype html><title>${name}</title><script type="module" src="/${name}.js"></script>`);
      else void readFile(join(world.copy.folder, 'page', name)).then((script) => response.end(script));
    }).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
    world = await ClientWorld.open({ CORS_ORIGINS: originUrl });
    execFileSync(
      join(packageRoot, 'node_modules/.bin/esbuild'),
      [
        ...[...CLIENTS, 'connect-session'].map((name) => `${name}.mjs`),
        ...['--bundle', '--format=esm', '--target=esnext', '--outdir=page', '--log-level=warning'],
        ...IN_PAGE.map((definition) => `--define:${definition}`),
      ],
      { cwd: world.copy.folder },
    );
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    origin.close();
    await world.close();
  });

  /** What a page says that has these settings besides the address. */
  async function saidBy(name: string, more: Readonly<Record<string, string>>): Promise<string[]> {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => void said.push(message.text()));
    page.on('pageerror', (error) => void said.push(String(error)));
    const settings = { BASE_URL: world.service.url, ...more };
    await page.addInitScript((values) => Object.assign(globalThis, { settings: values }), settings);
    await page.goto(`${originUrl}/${name}`);
    return said;
  }

  async function open(name: string): Promise<ClientPage> {
    const { id, grant } = await world.flow();
    return { id, said: await saidBy(name, { API_KEY: world.apiKey, INTEGRATION_ID: id }), grant };
  }

  // Chromium itself writes of refused connections.
  const faultsIn = (said: readonly string[]) =>
    said.filter((line) => /error/i.test(line) && !line.includes('net::ERR_'));

  it.each(CLIENTS)('%s hears of the connection through a restart of the service', async (name) => {
    const { id, said, grant } = await open(name);
    const says = (status: string) => said.some((line) => line.includes(id) && line.toUpperCase().endsWith(status));
    await until(() => says('PENDING'));
    await world.stop();
    await world.start();
    await grant();
    await until(() => says('CONNECTED'));
    expect(faultsIn(said)).toEqual([]);
  });

  it('connect-session starts a flow without a key, and hears of the connection through a restart', async () => {
    const said = await saidBy('connect-session', { SESSION_TOKEN: await world.session(), TYPE: 'oauth_app' });
    await until(() => said.length > 0);
    await world.stop();
    await world.start();
    await world.answer(said[0]!);
    await until(() => said.some((line) => line.endsWith(' CONNECTED')));
    expect(faultsIn(said)).toEqual([]);
  });
});
