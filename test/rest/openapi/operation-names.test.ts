import { globSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/package-root.js';
import { type Route, ROUTES } from '../../../src/transports/rest/routes.js';

/** Names that say more than method and path do. */
const NAMES: Readonly<Record<string, string>> = {
  'GET /workflows/{id}/actions': 'GetWorkflowActions',
  'PUT /workflows/{id}/actions': 'SetWorkflowActions',
  'POST /integrations/call': 'CallConnection',
  'GET /integrations/{id}/history': 'ListIntegrationHistory',
  'POST /runs/retry': 'RetryRuns',
  'POST /runs/cancel': 'CancelRuns',
  'GET /bulk/{id}': 'GetBulkOperation',
  'POST /bulk/{id}/cancel': 'CancelBulkOperation',
  'GET /audit_log': 'ListAuditLog',
  'DELETE /api_keys/{id}': 'RevokeApiKey',
  'POST /webhooks/{id}/rotate_secret': 'RotateWebhookSecret',
};

/** Folders that are not named by the last plural noun of the path. */
const FOLDERS: Readonly<Record<string, string>> = {
  'GET /integration_types': 'integrations',
  'POST /connect_sessions': 'integrations',
  'GET /audit_log': 'audit-log',
  'GET /bulk/{id}': 'runs',
  'POST /bulk/{id}/cancel': 'runs',
  'GET /webhooks/{id}/deliveries': 'webhooks',
  'GET /webhooks/{id}/deliveries/{delivery_id}': 'webhooks',
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': 'webhooks',
};

const VERBS = { GET: 'Get', POST: 'Create', PUT: 'Update', DELETE: 'Delete' } as const;

/** `GET /workflows/{id}/runs`: ListWorkflowRuns; `POST /integrations/{id}/test`: TestIntegration; `GET /account`: GetAccount. */
function nameOf({ method, path }: Route): string {
  const segments = path.split('/').slice(1);
  const nouns = segments.filter(isNoun);
  const last = segments.at(-1)!;
  if (nouns.length === 0) return `${VERBS[method]}${pascal(last)}`;
  const owners = nouns.slice(0, -1).map((noun) => pascal(singular(noun)));
  const thing = pascal(singular(nouns.at(-1)!));
  if (last.startsWith('{')) return [VERBS[method], ...owners, thing].join('');
  if (!isNoun(last)) return [pascal(last), ...owners, thing].join('');
  if (method === 'GET') return ['List', ...owners, pascal(nouns.at(-1)!)].join('');
  return [VERBS[method], ...owners, thing].join('');
}

function isNoun(segment: string): boolean {
  return segment.endsWith('s') && !segment.startsWith('{');
}

function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '');
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const key = ({ method, path }: Route): string => `${method} ${path}`;

describe('the operation of a route', () => {
  it.each(ROUTES.map((route) => [key(route), route] as const))('%s is named by method and path', (_, route) => {
    expect(route.operation).toBe(NAMES[key(route)] ?? nameOf(route));
  });

  it('is its own', () => {
    expect(new Set(ROUTES.map(({ operation }) => operation)).size).toBe(ROUTES.length);
    expect(new Set(ROUTES.map(key)).size).toBe(ROUTES.length);
  });
});

describe('the document of a route', () => {
  it.each(ROUTES.map((route) => [key(route), route] as const))('%s lies where its path says', (_, route) => {
    const noun = route.path.split('/').filter(isNoun).at(-1) ?? `${route.path.slice(1)}s`;
    expect(route.feature).toBe(FOLDERS[key(route)] ?? noun.replaceAll('_', '-'));
  });

  it('is there, and every other file holds examples', () => {
    const files = globSync('schema/rest/*/*', { cwd: packageRoot }).map((file) => file.replace('schema/rest/', ''));
    const documents = ROUTES.map(({ feature, operation }) => join(feature, operation));
    expect(files.filter((file) => file.endsWith('.graphql')).sort()).toEqual(
      documents.map((name) => `${name}.graphql`).sort(),
    );
    const others = files.filter((file) => !file.endsWith('.graphql') && !file.endsWith('/examples.json'));
    expect(others.filter((file) => !documents.includes(file.replace(/\.example\.json$/, '')))).toEqual([]);
  });
});

describe('the exceptions', () => {
  it('are routes that are there and that the rule would name otherwise', () => {
    const routes = new Map(ROUTES.map((route) => [key(route), route]));
    for (const [name, operation] of Object.entries(NAMES)) expect(nameOf(routes.get(name)!)).not.toBe(operation);
    expect(Object.keys(FOLDERS).filter((name) => !routes.has(name))).toEqual([]);
  });
});
