/* global SwaggerUIBundle -- from swagger-ui-bundle.js, which the page loads before this */

// Swagger UI's dark style hangs on a class; the reader's system decides.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // The key that is entered under "Authorize" stays in the page's memory.
  persistAuthorization: false,
  // The validator's badge would send the document's address to another host.
  validatorUrl: null,
  queryConfigEnabled: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'model',
  filter: true,
  syntaxHighlight: { theme: 'nord' },
});
