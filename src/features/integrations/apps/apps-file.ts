import { appSchema } from './schema/app-schema.js';
import { templateNames } from './schema/template-names.js';
import { explain, faultsOf } from './app-faults.js';
import { defineApp, type App, type AppDefinition } from './app.js';
import { isObject, toDefinitionNames, toFilePath, type Fields } from './apps-file-names.js';
import { keepSecrets, type OAuthClient } from './app-secrets.js';
import { isStandardSecret, STANDARD_SECRET } from './secret-fault.js';

/**
 * The operator's own apps, and one line for each error in them (`APPS_FILE[0].auth.token_url: is missing`). An app with
 * an error is left out. No line contains a value, because any value may be a secret.
 */
export function parseAppsFile(text: string, builtInTypes: ReadonlySet<string>): { apps: App[]; faults: string[] } {
  const list = parseJson(text);
  if (list === undefined) return { apps: [], faults: ['APPS_FILE: is not JSON'] };
  if (!Array.isArray(list)) return { apps: [], faults: ['APPS_FILE: must be a list of apps'] };
  const apps: App[] = [];
  const faults: string[] = [];
  const taken = new Set(builtInTypes);
  for (const [index, entry] of list.entries()) {
    const found = parseApp(entry, taken);
    if (found.app) apps.push(found.app);
    faults.push(...found.faults.map((fault) => `APPS_FILE[${index}]${fault}`));
  }
  return { apps, faults };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function parseApp(entry: unknown, taken: Set<string>): { app?: App; faults: string[] } {
  if (!isObject(entry)) return { faults: [': must be an object'] };
  const faults: string[] = [];
  const fields = toDefinitionNames(entry, faults);
  const client = takeClient(fields, faults);
  const signatureSecret = takeSignatureSecret(fields, faults);
  const result = appSchema(templateNames(fields)).safeParse(fields, { error: explain });
  if (!result.success)
    faults.push(...faultsOf(result.error).map(({ path, message }) => `${toFilePath(path)}: ${message}`));
  const { type } = fields;
  if (typeof type === 'string') {
    if (taken.has(type)) faults.push(`.type: ${type} is taken by another app`);
    taken.add(type);
  }
  if (faults.length > 0) return { faults };
  const app = defineApp(fields as AppDefinition);
  keepSecrets(app, { ...(client && { client }), ...(signatureSecret !== undefined && { signatureSecret }) });
  return { app, faults };
}

/** Removes the client from the fields, so that it never becomes part of the app. */
function takeClient({ auth }: Fields, faults: string[]): OAuthClient | undefined {
  const ways: unknown[] = Array.isArray(auth) ? auth : [auth];
  const index = ways.findIndex((way) => isObject(way) && way.kind === 'oauth2');
  if (index < 0) return undefined;
  const way = ways[index] as Fields;
  const path = Array.isArray(auth) ? ['auth', index] : ['auth'];
  const isPublic = way.tokenEndpointAuthMethod === 'none';
  const clientId = takeText(way, 'clientId', path, faults, { required: true });
  const clientSecret = takeText(way, 'clientSecret', path, faults, { required: !isPublic });
  if (clientId === undefined) return undefined;
  return clientSecret === undefined || isPublic ? { clientId } : { clientId, clientSecret };
}

function takeSignatureSecret({ eventSource }: Fields, faults: string[]): string | undefined {
  const signature = isObject(eventSource) ? eventSource.signature : undefined;
  if (!isObject(signature)) return undefined;
  const path = ['eventSource', 'signature'];
  const secret = takeText(signature, 'secret', path, faults, { required: false });
  if (secret !== undefined && signature.scheme === 'standard_webhooks' && !isStandardSecret(secret))
    faults.push(`${toFilePath(path)}.secret: ${STANDARD_SECRET}`);
  return secret;
}

function takeText(
  fields: Fields,
  key: string,
  path: readonly (string | number)[],
  faults: string[],
  { required }: { required: boolean },
): string | undefined {
  const value = fields[key];
  delete fields[key];
  if (typeof value === 'string' && value !== '') return value;
  if (value === undefined && !required) return undefined;
  faults.push(`${toFilePath([...path, key])}: ${value === undefined ? 'is missing' : 'must be a text, not empty'}`);
  return undefined;
}
