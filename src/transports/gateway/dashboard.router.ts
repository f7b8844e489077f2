import { Router, type Response } from 'express';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { html } from '../../platform/pages/html.js';
import { packageRoot } from '../../platform/package-root.js';
import { renderPage, sendPage } from '../../platform/pages/page.js';
import { precompressed } from '../../platform/pages/precompressed.js';

const BUILT = join(packageRoot, 'dist/dashboard');

/** Every URL that the dashboard's own router (`src/dashboard/app/routes.tsx`) knows; other paths are not served. */
export const DASHBOARD_ADDRESSES = [
  '/',
  '/sign-in',
  '/set-up/:token',
  '/invitations/:token',
  '/choose-account',
  '/forgot-password',
  '/reset-password/:token',
  '/workflows',
  '/workflows/:id',
  '/workflows/:id/actions',
  '/workflows/:id/triggers',
  '/workflows/:id/runs',
  '/workflows/:id/settings',
  '/triggers',
  '/triggers/:id',
  '/runs',
  '/runs/:id',
  '/event-log',
  '/waits',
  '/integrations',
  '/integrations/new',
  '/integrations/new/:type',
  '/integrations/:id',
  '/settings',
  '/settings/profile',
  '/settings/account',
  '/settings/users',
  '/settings/api-keys',
  '/settings/webhooks',
  '/settings/webhooks/:id',
  '/settings/audit-log',
  '/developers',
];

/** The dashboard: one page under many URLs, and under `/assets` its files, whose names change with their content. */
export function dashboardRouter({ baseUrl }: { baseUrl: string }): Router {
  const router = Router();
  const { origin } = new URL(baseUrl);
  router.get(DASHBOARD_ADDRESSES, async (_request, response) => sendDashboard(response, origin));
  router.use('/assets', precompressed(join(BUILT, 'assets')));
  return router;
}

async function sendDashboard(response: Response, origin: string): Promise<void> {
  const page = await builtPage();
  if (page === undefined) return sendPage(response, 503, notBuilt());
  // Mantine and the scroll lock write style elements: the nonce of this response admits theirs and no others.
  const nonce = randomBytes(16).toString('base64');
  const filled = page.replaceAll('%CSP_NONCE%', nonce).replaceAll('%SERVICE_ORIGIN%', () => origin);
  sendPage(response, 200, filled, {
    'style-src': `'self' 'nonce-${nonce}'`,
    // Some browsers do not count a WebSocket of the same host as 'self'. Under another origin the page redirects to its
    // own.
    'connect-src': `'self' ${origin} ${origin.replace(/^http/, 'ws')}`,
  });
}

async function builtPage(): Promise<string | undefined> {
  try {
    return await readFile(join(BUILT, 'index.html'), 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

function notBuilt(): string {
  return renderPage({
    title: 'The dashboard is not built',
    width: 'narrow',
    body: html`<section class="card">
      <h1>The dashboard is not built yet</h1>
      <p>
        Run <code>npm run build</code> in the folder of the service, then reload this page. The API works without: see
        <a href="/docs">the REST reference</a>.
      </p>
    </section>`,
  });
}
