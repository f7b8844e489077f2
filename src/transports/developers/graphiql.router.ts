import { Router } from 'express';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetUrl } from '../../platform/pages/assets.router.js';
import { html } from '../../platform/pages/html.js';
import { packageRoot } from '../../platform/package-root.js';
import { renderPage, sendPage } from '../../platform/pages/page.js';
import { precompressed } from '../../platform/pages/precompressed.js';
import { type PolicyChanges } from '../../platform/pages/security-headers.js';

const BUNDLES = join(packageRoot, 'dist/graphiql');

/**
 * Self-hosted GraphiQL from the bundle that `npm run build` makes. Requests use the session of the signed-in person, or
 * a key typed into the page. Mount it at `/graphiql`.
 */
export function graphiqlRouter({ baseUrl }: { baseUrl: string }): Router {
  const router = Router();
  const policy = policyFor(baseUrl);
  router.get('/', async (_request, response) => {
    const folder = await builtFolder();
    if (folder === undefined) return sendPage(response, 503, notBuilt());
    return sendPage(response, 200, graphiqlPage(`/graphiql/${folder}`), policy);
  });
  // Each bundle has a folder of its own name, so its files never change.
  router.use(precompressed(BUNDLES));
  return router;
}

function policyFor(baseUrl: string): PolicyChanges {
  return {
    // The editor writes its theme into style elements and starts its workers from files of this origin.
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self' data:",
    'worker-src': "'self'",
    // Some browsers do not count a WebSocket of the same host as 'self'.
    'connect-src': `'self' ${new URL(baseUrl).origin.replace(/^http/, 'ws')}`,
  };
}

async function builtFolder(): Promise<string | undefined> {
  try {
    const { folder } = JSON.parse(await readFile(join(BUNDLES, 'manifest.json'), 'utf8')) as { folder: string };
    return folder;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

function graphiqlPage(folder: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>GraphiQL · Workflow Gateway</title>
        <link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}" />
        <link rel="stylesheet" href="${folder}/graphiql.css" />
        <script type="module" src="${folder}/graphiql.js"></script>
      </head>
      <body>
        <header class="bar">
          <nav aria-label="Developers">
            <a href="/developers"><img src="${assetUrl('icon.svg')}" alt="" width="22" height="22" />Dashboard</a>
            <a href="/docs">REST reference</a>
            <a href="/docs/reference">Documentation</a>
          </nav>
          <span id="who" role="status"></span>
        </header>
        <div id="graphiql"></div>
        <noscript>GraphiQL needs JavaScript. The API itself is at <code>POST /graphql</code>.</noscript>
      </body>
    </html> `.text;
}

function notBuilt(): string {
  return renderPage({
    title: 'GraphiQL is not built',
    width: 'narrow',
    body: html`<section class="card">
      <h1>GraphiQL is not built yet</h1>
      <p>
        Run <code>npm run build</code> in the folder of the service, then reload this page. The API itself is at
        <code>POST /graphql</code>.
      </p>
    </section>`,
  });
}
