import pg from 'pg';
import { isKeyText, isSessionText } from '../../../src/features/api-keys/key-text.js';
import { type App } from '../../../src/features/integrations/apps/app.js';
import { secretsOf } from '../../../src/features/integrations/apps/app-secrets.js';

/**
 * API keys and tokens of connect sessions. Sealed text is random base64url, which may contain four such letters by
 * chance.
 */
const CHECKED_FORM = /wf[ks]_[0-9A-Za-z]{38}/g;
/** Secrets of webhooks, codes and tokens of the sandbox: with their prefixes they are too long to occur by chance. */
const PREFIXED_FORM = /\b(?:whsec_[\w+/-]{20,}|sbx_(?:code|at|rt)_[\w-]{20,})/g;
/** Shorter texts occur in a database by chance. */
const MIN_LENGTH = 12;
/** Exceptions among texts sent as credentials: hostile ones are sent as names too. */
const SAYS_SO = /secret|token|key|password|bearer/i;

const noted = new Set<string>();
let notedIn: string | undefined;

/** The secrets of the current test file; this module outlives it. */
function notedHere(): Set<string> {
  const { testPath } = expect.getState();
  if (testPath !== notedIn) noted.clear();
  notedIn = testPath;
  return noted;
}

/** Registers a secret of this test file: no dropped database and no server log may contain it. @returns it. */
export function noteSecret(secret: string): string {
  if (secret.length >= MIN_LENGTH) notedHere().add(clean(secret));
  return secret;
}

/** Registers the secrets in a request: credentials, secrets in configs, headers of actions. */
export function noteSent(body: unknown): void {
  walk(body, [], (text, path) => {
    const [parent, key] = path.slice(-2);
    const isSecret =
      path.includes('credentials') ||
      (parent === 'config' && key === 'secret') ||
      /^events_?secret$/i.test(path.at(-1)!) ||
      (path.includes('actions') && parent === 'headers');
    if (isSecret && SAYS_SO.test(text)) noteSecret(text);
  });
}

/** Registers the secrets in a response: secrets shown once, and the tokens in its URLs. */
export function noteAnswered(body: unknown): void {
  walk(body, [], (text, path) => {
    const key = path.at(-1)!.toLowerCase().replaceAll('_', '');
    // Values in a config came from the client.
    if (/^(secret|token|eventssecret)$/.test(key) && !path.includes('config')) noteSecret(text);
    if (/^(webhook|events|connect)url$/.test(key)) noteSecret(text.slice(text.lastIndexOf('/') + 1));
    if (key === 'redirecturl' && URL.canParse(text)) noteSecret(new URL(text).searchParams.get('state') ?? '');
  });
}

/** Registers the secrets in a request to a provider: a form, and the header of a client or of a token. */
export function noteProviderRequest(form: URLSearchParams, authorization = ''): void {
  for (const name of ['code_verifier', 'refresh_token', 'client_secret', 'token']) noteSecret(form.get(name) ?? '');
  noteSecret(authorization.replace(/^\w+ /, ''));
}

/** Registers the operator's secrets: client secrets of apps, secrets and tokens in the environment. */
export function noteOperatorSecrets(apps: readonly App[], env: Record<string, string>): void {
  for (const app of apps) noteSecret(secretsOf(app).client?.clientSecret ?? '');
  for (const [name, value] of Object.entries(env)) if (/_(SECRET|TOKEN)$/.test(name)) noteSecret(value);
}

/** The registered secrets in a text, and those recognisable by their form; also as hexadecimal (bytea) and base64. */
export function secretsIn(text: string): string[] {
  const plain = clean(text);
  const bytes = (text.match(/\\x[0-9a-f]+/g) ?? []).join(' ');
  const found = [...notedHere()].filter(
    (secret) =>
      plain.includes(secret) || bytes.includes(Buffer.from(secret).toString('hex')) || plain.includes(base64(secret)),
  );
  const checked = (text.match(CHECKED_FORM) ?? []).filter((match) => isKeyText(match) || isSessionText(match));
  return [...new Set([...found, ...checked, ...(text.match(PREFIXED_FORM) ?? [])])];
}

/** Every unencrypted secret in a database, with its table. */
export async function secretsInDatabase(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    if (tables.length === 0) return [];
    const all = tables.map(({ name }) => `SELECT '${name}' AS name, t::text AS row FROM ${name} t`).join(' UNION ALL ');
    await client.query(`BEGIN; DECLARE rows CURSOR FOR ${all}`);
    const found = new Set<string>();
    for (let rows: Row[] = [], isFirst = true; isFirst || rows.length === PAGE; isFirst = false) {
      ({ rows } = await client.query<Row>(`FETCH ${PAGE} FROM rows`));
      for (const [name, ofTable] of Map.groupBy(rows, ({ name }) => name))
        for (const secret of secretsIn(ofTable.map(({ row }) => row).join('\n'))) found.add(`${name}: ${secret}`);
    }
    return [...found];
  } catch (error) {
    // Some tests drop the database themselves.
    if ((error as { code?: unknown }).code === '3D000') return [];
    throw error;
  } finally {
    await client.end();
  }
}

interface Row {
  name: string;
  row: string;
}

/** The rows that are searched at once: a database of the long tests has millions. */
const PAGE = 50_000;

/** The tables that hold rows; those of a partitioned table are in its partitions. */
const TABLES = `SELECT relnamespace::regnamespace || '.' || quote_ident(relname) AS name FROM pg_class
  WHERE relkind = 'r' AND relpersistence <> 't' AND pg_relation_size(oid) > 0
    AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`;

/** The text without quotes and backslashes, which rows and JSON in them escape in different ways. */
function clean(text: string): string {
  return text.replaceAll(/["\\]/g, '');
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/.?=*$/, '');
}

function walk(value: unknown, path: string[], visit: (text: string, path: string[]) => void): void {
  if (typeof value === 'string' && path.length > 0) visit(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key], visit);
}
