import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App } from '../../src/integrations/apps/app.js';
import { catalog } from '../../src/integrations/apps/index.js';
import { packageRoot } from '../../src/package-root.js';
import { table } from './routes-page.js';

const HEAD = ['Type', 'Name', 'Auth', 'Documentation', 'Verified', 'Parameters', 'Account asked at', 'Events', 'Notes'];

/** `docs/catalog.md`: every built-in application; its notes are the comment above its definition. */
export function catalogPage(): string {
  const verified = catalog.filter((app) => app.verified).length;
  return [
    '# Catalog',
    'The built-in applications, one file each in `src/integrations/apps/catalog`. Made by `npm run emit`; `npm run check` fails when it is stale.',
    `${catalog.length} applications. *Verified* (${verified}): authorization and token address, or the address that proves a key, were read in the provider’s own documentation. ` +
      'Of the others at least one address was not: compare it with the page that is named before you rely on it.',
    'An OAuth 2 application is switched on by `<TYPE>_CLIENT_ID` and `<TYPE>_CLIENT_SECRET`; its redirect address is `BASE_URL/oauth/callback/<type>`. Events are posted to the `eventsUrl` of an integration. ' +
      '*Signed* ones carry an HMAC with its `eventsSecret`; of *unsigned* ones the token in the address is the only proof, so keep that address secret.',
    table(HEAD, catalog.map(row)),
    '',
  ].join('\n\n');
}

function row(app: App): string[] {
  return [
    `\`${app.type}\``,
    app.name,
    app.auth.kind === 'oauth2' ? `OAuth 2${app.auth.pkce ? ', PKCE' : ''}` : 'API key',
    `[${new URL(app.documentationUrl!).hostname}](${app.documentationUrl})`,
    app.verified ? 'yes' : 'no',
    app.parameters.map(({ name, description }) => `\`${name}\`: ${description}`).join('<br>'),
    app.identity === null ? '' : `\`${app.identity.url.replace('https://', '')}\``,
    eventsOf(app),
    notesOf(app),
  ];
}

function eventsOf({ events, eventSource }: App): string {
  if (eventSource === null) return '';
  const proof = eventSource.signature === null ? 'unsigned' : 'signed';
  return `${events.map((event) => `\`${event}\``).join(', ')} (${proof})`;
}

function notesOf({ type }: App): string {
  const source = readFileSync(join(packageRoot, `src/integrations/apps/catalog/${type}.ts`), 'utf8');
  return /\/\*\* (.*?) \*\//.exec(source)?.[1] ?? '';
}
