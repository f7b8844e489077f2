import { type Response } from 'express';
import { assetUrl } from './assets.router.js';
import { html, type Html } from './html.js';
import { setPageHeaders, type PolicyChanges } from './security-headers.js';

/** The content of a page: `width` is that of its column, `scripts` are files of `src/platform/pages/assets`. */
export interface Page {
  title: string;
  body: Html;
  width?: 'narrow' | 'wide';
  scripts?: readonly string[];
  /** URLs of further style sheets. */
  styles?: readonly string[];
  /** Marks a page of the sandbox, so that it is not mistaken for one of the service. */
  banner?: string;
  /** The right side of the header, e.g. a link back. */
  aside?: Html;
}

/** A whole HTML document in the service's layout: header, one column, light or dark as the system prefers. */
export function renderPage({ title, body, width = 'wide', scripts = [], styles = [], banner, aside }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}" />
        <link rel="stylesheet" href="${assetUrl('page.css')}" />
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
        ${scripts.map((file) => html`<script src="${assetUrl(file)}" defer></script>`)}
      </head>
      <body class="${width}">
        <header class="top">
          <a class="brand" href="/"
            ><img src="${assetUrl('icon.svg')}" alt="" width="26" height="26" /><span>Workflow Gateway</span></a
          >
          ${banner !== undefined && html`<span class="banner">${banner}</span>`} ${aside}
        </header>
        <main>${body}</main>
      </body>
    </html> `.text;
}

/** Sends a page with `no-store`, under the strict policy with `changes`. */
export function sendPage(response: Response, status: number, page: string, changes?: PolicyChanges): void {
  setPageHeaders(response, changes);
  response.status(status).set('Cache-Control', 'no-store').type('html').send(page);
}
