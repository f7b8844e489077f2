import { secretsOf, type OAuthClient } from './app-secrets.js';
import { type App, type AuthKind, authOf } from './app.js';
import { catalog } from './index.js';
import { sandboxApps } from './sandbox.js';
import { takesSigningSecret } from './signing-secrets.js';

/** Decides which apps exist, and which of the built-in OAuth apps are configured. */
export interface AppRegistryOptions {
  baseUrl: string;
  sandbox: boolean;
  /** `<TYPE>_CLIENT_ID` and `<TYPE>_CLIENT_SECRET` of a catalog type; undefined unless both are set. */
  credentials: (type: string) => { clientId: string; clientSecret: string } | undefined;
  /** `<TYPE>_SIGNING_SECRET`. Absent: no type has one. */
  signingSecret?: (type: string) => string | undefined;
  fileApps: readonly App[];
}

/** All apps of this process. They never change while it runs. */
export class AppRegistry {
  private readonly apps: ReadonlyMap<string, App>;

  /** @throws Error if two apps have the same type. */
  constructor(private readonly options: AppRegistryOptions) {
    const all: App[] = [...catalog, ...(options.sandbox ? sandboxApps(options.baseUrl) : []), ...options.fileApps];
    all.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.type < b.type ? -1 : 1));
    this.apps = new Map(all.map((app) => [app.type, app]));
    if (this.apps.size !== all.length) throw new Error('Two apps have the same type.');
  }

  /** All apps, sorted by name. */
  list(): App[] {
    return [...this.apps.values()];
  }

  /** The app of a type; undefined if the service does not offer it. */
  get(type: string): App | undefined {
    return this.apps.get(type);
  }

  /** Whether the service offers a type. */
  readonly offersType = (type: string): boolean => this.apps.has(type);

  /** Whether an app can be connected in at least one way. */
  isConfigured(app: App): boolean {
    return app.auths.some(({ kind }) => this.isAuthConfigured(app, kind));
  }

  /** False for OAuth without a client. */
  isAuthConfigured(app: App, kind: AuthKind): boolean {
    return kind !== 'oauth2' || this.clientOf(app) !== undefined;
  }

  /** The OAuth client of an app: its own (APPS_FILE, sandbox), else the client from the environment. */
  clientOf(app: App): OAuthClient | undefined {
    if (authOf(app, 'oauth2') === undefined) return undefined;
    return secretsOf(app).client ?? this.options.credentials(app.type);
  }

  /** The types that share client and revocation endpoint with an OAuth app, so that revoking one grant may end all. */
  sharingGrantsWith(app: App): string[] {
    const grantor = this.grantorOf(app);
    return this.list().flatMap((other) => (this.grantorOf(other) === grantor ? [other.type] : []));
  }

  /** The secret that signs all events of an application; undefined if each integration has its own or none is set. */
  signatureSecretOf(app: App): string | undefined {
    const set = takesSigningSecret(app) ? this.options.signingSecret?.(app.type) : undefined;
    return set ?? secretsOf(app).signatureSecret;
  }

  /** Whether the events of all integrations arrive at one shared URL. It exists once the application's secret is set. */
  hasSharedAddress(app: App): boolean {
    return (app.eventSource?.accountPaths.length ?? 0) > 0 && this.signatureSecretOf(app) !== undefined;
  }

  /** The types that offer an event of that name, sorted by the apps' names. */
  typesOffering(event: string): string[] {
    return this.list().flatMap(({ type, events }) => (events.includes(event) ? [type] : []));
  }

  /** The names of the events that a type offers; empty for an unknown type. */
  eventsOf(type: string): readonly string[] {
    return this.get(type)?.events ?? [];
  }

  /** The apps whose type or name contains the text, ignoring case, sorted by name. */
  search(text: string): App[] {
    const wanted = text.toLowerCase();
    return this.list().filter(({ type, name }) => type.includes(wanted) || name.toLowerCase().includes(wanted));
  }

  private grantorOf(app: App): string | undefined {
    const auth = authOf(app, 'oauth2');
    return auth && `${this.clientOf(app)?.clientId} ${auth.revocationUrl}`;
  }
}
