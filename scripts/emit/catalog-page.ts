import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, type EventSource } from '../../src/features/integrations/apps/app.js';
import { catalog } from '../../src/features/integrations/apps/index.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { LOOKED_UP, lookups } from './catalog-lookups.js';
import { table } from './markdown.js';
import { sourceFiles } from './sources.js';

const HEAD = ['Type', 'Name', 'Auth', 'Documentation', 'Verified', 'Parameters', 'Account asked at', 'Events', 'Notes'];
const LOOKUP_HEAD = ['Type', 'Tokens end', 'Revoked at', 'API version', 'Looked up at', 'Not found'];

/** `docs/catalog.md`: every built-in application; its notes are the comment above its definition. */
export function catalogPage(): string {
  const verified = catalog.filter((app) => app.verified).length;
  return [
    '# Catalog',
    'The built-in applications, one file each in `src/features/integrations/apps/catalog`. Made by `npm run emit`; `npm run check` fails when it is stale.',
    `${catalog.length} applications. *Verified* (${verified}): authorization and token address, or the address that proves a key, were read in the provider’s own documentation. ` +
      'Of the others at least one address was not: compare it with the page that is named before you rely on it.',
    'An OAuth 2 application is switched on by `<TYPE>_CLIENT_ID` and `<TYPE>_CLIENT_SECRET`; its redirect address is `BASE_URL/oauth/callback/<type>`. Events are posted to the `eventsUrl` of an integration. ' +
      'What proves them: *our secret* is `eventsSecret`, which is given to the application; a *secret of the endpoint* is made by the application and set as `events_secret`; ' +
      'a *secret of the application* is `<TYPE>_SIGNING_SECRET`. Of *unsigned* ones the token in the address is the only proof, so keep that address secret.',
    table(HEAD, catalog.map(row)),
    `## Looked up on ${LOOKED_UP}`,
    'Where each application was looked up, and what was not found: that is as it was before. *code* is the address itself in public code, where no page of the provider was at hand. ' +
      'An asterisk marks what none of the pages says. *Revoked at* is where tokens are given back (RFC 7009).',
    table(LOOKUP_HEAD, catalog.map(lookupRow)),
    '',
  ].join('\n\n');
}

function lookupRow(app: App): string[] {
  const lookup = lookups[app.type];
  if (lookup === undefined) throw new Error(`scripts/emit/catalog-lookups.ts says nothing of ${app.type}.`);
  const revoked = app.auth.kind === 'oauth2' ? app.auth.revocationUrl : null;
  return [
    `\`${app.type}\``,
    lookup.tokens,
    revoked === null ? '' : `\`${revoked.replace('https://', '')}\``,
    versionOf(app),
    lookup.at.map(placeOf).join('<br>'),
    lookup.missing ?? '',
  ];
}

/** The version of the API, from a header of each request, else from the URL. */
function versionOf({ apiHeaders, apiBaseUrl }: App): string {
  const [header] = Object.entries(apiHeaders);
  if (header !== undefined) return `\`${header.join(': ')}\``;
  const version = /\/(v?\d[\w.-]*)/.exec(apiBaseUrl)?.[1];
  return version === undefined ? '' : `\`${version}\``;
}

function placeOf(place: string): string {
  if (place.startsWith('https://')) return `[${new URL(place).hostname}](${place})`;
  const [, repository, path] = /^([\w.-]+\/[\w.-]+) (\S+)$/.exec(place) ?? [];
  return repository === undefined ? place : `\`${repository}\`: \`${path}\``;
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
  return `${events.map((event) => `\`${event}\``).join(', ')} (${proofOf(eventSource)})`;
}

function proofOf({ signature, handshake, secretOf }: EventSource): string {
  if (signature === null && handshake === 'microsoft_graph') return 'our secret, in each';
  if (signature === null) return 'unsigned';
  return secretOf === 'integration' ? 'our secret' : `secret of the ${secretOf}`;
}

function notesOf({ type }: App): string {
  const [file] = sourceFiles(`/${type}.ts`, 'src/features/integrations/apps/catalog');
  const source = readFileSync(join(packageRoot, file!), 'utf8');
  return /\/\*\* (.*?) \*\//.exec(source)?.[1] ?? '';
}
