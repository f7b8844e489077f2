import { type App } from './app.js';
import { builtInTypes, catalog } from './index.js';
import { secretFault } from './secret-fault.js';

/**
 * Whether `<TYPE>_SIGNING_SECRET` applies: the provider has one secret per application, or the app is the operator's
 * own.
 */
export function takesSigningSecret({ type, eventSource }: App): boolean {
  if (eventSource === null || eventSource.signature === null) return false;
  return eventSource.secretOf === 'application' || !builtInTypes.has(type);
}

/**
 * The errors in the environment's signing secrets, one per line. `secrets` is keyed by upper-case type. An unknown type
 * is no error: the variable may belong to another program.
 */
export function signingSecretFaults(secrets: ReadonlyMap<string, string>, fileApps: readonly App[]): string[] {
  const apps = new Map<string, App>([...catalog, ...fileApps].map((app) => [app.type, app]));
  return [...new Set([...builtInTypes, ...apps.keys()])].flatMap((type) => {
    const name = type.toUpperCase();
    const secret = secrets.get(name);
    const fault = secret === undefined ? undefined : faultOf(apps.get(type), secret);
    return fault === undefined ? [] : [`${name}_SIGNING_SECRET: ${fault}.`];
  });
}

function faultOf(app: App | undefined, secret: string): string | undefined {
  if (app === undefined || !takesSigningSecret(app)) return 'this type has no signing secret for all its integrations';
  return secretFault(app, secret);
}
