import { type RequestHandler, Router } from 'express';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../platform/package-root.js';
import { Html, html } from '../../platform/pages/html.js';
import { renderPage, sendPage } from '../../platform/pages/page.js';
import { setPageHeaders } from '../../platform/pages/security-headers.js';
import { revalidated } from '../../platform/pages/revalidated.js';

const BUILT = join(packageRoot, 'dist/docs/pages.json');
const STYLE = join(packageRoot, 'src/transports/developers/browser/docs.css');

/** A page as `scripts/build-docs.mjs` renders it. */
interface BuiltPage {
  path: string;
  label: string;
  title: string;
  sections: readonly { id: string; text: string; level: number }[];
  /** Markup without scripts and raw HTML, whose links have been checked. */
  html: string;
}

/**
 * The Markdown of `docs/reference`, `docs/catalog.md` and `docs/clients.md` as pages, rendered by `npm run build`. Mount it at `/docs`,
 * after the REST reference. Pages that are built after the start are found too.
 */
export function docsRouter(built = BUILT): Router {
  const router = Router();
  let pages: ReadonlyMap<string, RequestHandler> | undefined;
  router.get('/docs.css', revalidated('css', readFileSync(STYLE)));
  router.get('/:page', async (request, response, next) => {
    // No page has a dot in its name: a file that is missing is missing before the build too.
    if (request.params.page.includes('.')) return next();
    pages ??= await builtPages(built);
    if (pages === undefined) return sendPage(response, 503, notBuilt());
    const page = pages.get(request.params.page);
    if (page === undefined) return next();
    setPageHeaders(response);
    return page(request, response, next);
  });
  return router;
}

async function builtPages(file: string): Promise<ReadonlyMap<string, RequestHandler> | undefined> {
  try {
    const pages = JSON.parse(await readFile(file, 'utf8')) as BuiltPage[];
    return new Map(pages.map((page) => [page.path, revalidated('html', Buffer.from(docsPage(page, pages)))]));
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

function docsPage(page: BuiltPage, pages: readonly BuiltPage[]): string {
  return renderPage({
    title: `${page.title} · Workflow Gateway`,
    styles: ['/docs/docs.css'],
    aside: html`<nav class="ways" aria-label="Developers">
      <a href="/developers">Dashboard</a>
      <a href="/docs">REST reference</a>
      <a href="/graphiql">GraphiQL</a>
    </nav>`,
    body: html`<div class="docs">
      <nav class="pages" aria-label="Pages">
        <ul>
          ${pages.map((each) =>
            each === page
              ? html`<li><a href="/docs/${each.path}" aria-current="page">${each.label}</a>${sections(page)}</li>`
              : html`<li><a href="/docs/${each.path}">${each.label}</a></li>`,
          )}
        </ul>
      </nav>
      <article>${new Html(page.html)}</article>
    </div>`,
  });
}

/** The headings of the page. A phone shows them in the text alone. */
function sections({ sections }: BuiltPage): Html | false {
  if (sections.length === 0) return false;
  return html`<ul class="sections">
    ${sections.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`)}
  </ul>`;
}

function notBuilt(): string {
  return renderPage({
    title: 'The documentation is not built',
    width: 'narrow',
    body: html`<section class="card">
      <h1>The documentation is not built yet</h1>
      <p>
        Run <code>npm run build</code> in the folder of the service, then reload this page. The same pages are in
        <code>docs/reference</code>.
      </p>
    </section>`,
  });
}
