import { Router } from 'express';
import { html, type Html } from '../pages/html.js';
import { renderPage, sendPage } from '../pages/page.js';

const DOORS = [
  ['/graphiql', 'GraphiQL', 'Try queries, mutations and subscriptions in the browser.'],
  ['/docs', 'REST reference', 'Every /v1 endpoint, with a form to call it.'],
  ['/openapi.json', 'OpenAPI document', 'For code generators, Postman and the like.'],
] as const;

/** The page at `/`: what this is, where its doors are, how to make the first call. Static but for `baseUrl`. */
export function homeRouter({ baseUrl }: { baseUrl: string }): Router {
  const page = renderPage({ title: 'Workflow Gateway', body: body(baseUrl), scripts: ['copy.js'] });
  const router = Router();
  router.get('/', (_req, res) => sendPage(res, 200, page));
  return router;
}

function body(baseUrl: string): Html {
  return html`<section class="hero">
      <h1>Automated workflows, for developers</h1>
      <p class="lead">
        Triggers fire workflows; workflows act on connected applications. Talk to it through GraphQL, REST, or
        subscriptions that tell you the moment a connection is there.
      </p>
    </section>
    <ul class="tiles">
      ${DOORS.map(
        ([href, name, what]) =>
          html`<li>
            <a href="${href}"><strong>${name}</strong><span>${what}</span></a>
          </li> `,
      )}
    </ul>
    <section class="card">
      <ol class="steps">
        <li>
          <h2>1. Make an API key</h2>
          <p class="soft">In the folder of the service. The key is printed once; keep it.</p>
          ${command('npm run --silent keys -- create --label ci --scope read-write')}
        </li>
        <li>
          <h2>2. Make a workflow</h2>
          ${command(
            `curl -X POST ${baseUrl}/v1/workflows \\\n  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\\n  -d '{"name":"Hello"}'`,
          )}
        </li>
        <li>
          <h2>3. See it</h2>
          ${command(`curl ${baseUrl}/v1/workflows -H "Authorization: Bearer $API_KEY"`)}
          <p class="soft small">
            GraphQL is at <code>POST ${baseUrl}/graphql</code>, subscriptions at
            <code>${baseUrl.replace(/^http/, 'ws')}/graphql</code> (<code>graphql-transport-ws</code>), with the same
            key.
          </p>
        </li>
      </ol>
    </section>`;
}

function command(text: string): Html {
  return html`<div class="command">
    <pre><code>${text}</code></pre>
  </div>`;
}
