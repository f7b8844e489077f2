/* global SwaggerUIBundle -- from swagger-ui-bundle.js, which the page loads before this */
import { SIGN_IN, signedInUser } from './session.js';

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

/** Says as whom calls are made; browsers send the cookie with them by themselves. */
const who = document.getElementById('who');
const link = Object.assign(document.createElement('a'), { href: SIGN_IN, textContent: 'Sign in' });
const user = await signedInUser();
if (user === undefined) who.append(link, ' to try calls as yourself, or press “Authorize” and put in an API key.');
else who.append(`Signed in as ${user.name}: calls are made as you, unless you put in an API key under “Authorize”.`);
