import { type RequestHandler, Router } from 'express';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { html } from '../../platform/pages/html.js';
import { packageRoot } from '../../platform/package-root.js';
import { renderPage, sendPage } from '../../platform/pages/page.js';
import { revalidated } from '../../platform/pages/revalidated.js';

const OWN = join(packageRoot, 'src/transports/developers/browser');
/** Where `scripts/build-docs.mjs` puts Swagger UI. */
const LIBRARY = join(packageRoot, 'dist/docs');

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': LIBRARY,
  'swagger-ui-bundle.js': LIBRARY,
  'reference.css': OWN,
  'reference.js': OWN,
  'session.js': OWN,
};

/** The REST reference: Swagger UI over `/openapi.json`, served without third-party hosts. Mount it at `/docs`. */
export function referenceRouter(): Router {
  const router = Router();
  const page = referencePage();
  router.get('/', (_request, response) => sendPage(response, 200, page));
  for (const [file, root] of Object.entries(FILES)) {
    let content: Promise<RequestHandler> | undefined;
    router.get(`/${file}`, async (request, response, next) => {
      content ??= readFile(join(root, file)).then(
        (bytes) => revalidated(extname(file), bytes),
        (error: unknown) => {
          content = undefined;
          throw error;
        },
      );
      return (await content)(request, response, next);
    });
  }
  return router;
}

function referencePage(): string {
  return renderPage({
    title: 'REST reference · Workflow Gateway',
    styles: ['/docs/swagger-ui.css', '/docs/reference.css'],
    aside: html`<nav class="ways" aria-label="Developers">
      <a href="/developers">Dashboard</a>
      <a href="/graphiql">GraphiQL</a>
      <a href="/docs/reference">Documentation</a>
    </nav>`,
    body: html`<p id="who" role="status"></p>
      <div id="reference"></div>
      <noscript
        ><p>
          This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.
        </p></noscript
      >
      <script src="/docs/swagger-ui-bundle.js" defer></script>
      <script src="/docs/reference.js" type="module"></script>`,
  });
}
