/* global SwaggerUIBundle -- from swagger-ui-bundle.js, which the page loads before this */
import { SIGN_IN, signedInUser } from './session.js';

// A class switches Swagger UI's dark style; it follows the system setting.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // The key entered under "Authorize" stays in the page's memory.
  persistAuthorization: false,
  // The validator badge would send the document's URL to another host.
  validatorUrl: null,
  queryConfigEnabled: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'model',
  filter: true,
  syntaxHighlight: { theme: 'nord' },
});

/** Shows which identity the calls use; browsers send the session cookie by themselves. */
const who = document.getElementById('who');
const link = Object.assign(document.createElement('a'), { href: SIGN_IN, textContent: 'Sign in' });
const user = await signedInUser();
if (user === undefined) who.append(link, ' to try calls as yourself, or press “Authorize” and enter an API key.');
else who.append(`Signed in as ${user.name}: calls use your session, unless you enter an API key under “Authorize”.`);
