import { appSchema, type AppSchemaInput } from './app-schema.js';
import { explain, faultsOf } from './app-faults.js';

/** How the client proves itself at the token endpoint (RFC 7591, 2). */
export type TokenEndpointAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none';

/** Schemes that fix header, algorithm and encoding of a signature by themselves. */
export type SignatureScheme = 'slack' | 'stripe' | 'github' | 'standard_webhooks' | 'calendly' | 'pagerduty' | 'figma';

/** An application that connects by the authorization code grant (RFC 6749, 4.1); its client is kept apart, in `app-secrets.ts`. */
export interface OAuth2Auth {
  readonly kind: 'oauth2';
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** RFC 7009; null when the provider has none that takes the form of that standard. */
  readonly revocationUrl: string | null;
  /** How the client proves itself there; null where it does so as at the token endpoint. */
  readonly revocationAuthMethod: TokenEndpointAuthMethod | null;
  /** True where revoking any token ends the user's whole grant to this client, tokens of later flows included. */
  readonly revocationEndsGrant: boolean;
  /** The `iss` that a callback must carry when it carries one (RFC 9207). */
  readonly issuer: string | null;
  readonly scopes: readonly string[];
  readonly scopeSeparator: string;
  readonly pkce: boolean;
  readonly tokenEndpointAuthMethod: TokenEndpointAuthMethod;
  readonly authorizationParams: Readonly<Record<string, string>>;
  /** The provider's own words for `invalid_grant` when a renewal is refused, often in an answer with status 200. */
  readonly invalidGrantErrors: readonly string[];
}

/** An application that connects by a key, which `verify` proves: a status in `ok` means that it is valid. */
export interface ApiKeyAuth {
  readonly kind: 'api_key';
  readonly placement: { readonly in: 'header' | 'query'; readonly name: string; readonly prefix: string };
  readonly verify: {
    readonly method: 'GET' | 'HEAD' | 'POST';
    readonly url: string;
    readonly ok: readonly number[];
  };
}

/** What connect must be given; `pattern` must match the whole value, with the flag `u`. */
export interface AppParameter {
  readonly name: string;
  readonly description: string;
  readonly pattern: string;
}

/** How a posted event proves its sender; its secret, when it is one for the whole application, is in `app-secrets.ts`. */
export type Signature = { readonly scheme: SignatureScheme } | PlainSignature;

/** An HMAC of the raw body in a header of its own, behind `prefix`. */
export interface PlainSignature {
  readonly scheme?: undefined;
  readonly header: string;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
  readonly prefix: string;
}

/**
 * Which secret proves events: that of the `integration`, which this service makes, or one that the provider makes, for each
 * `endpoint` or for its whole `application`. Without a secret of the provider its events are taken unsigned.
 */
export type SecretOf = 'integration' | 'endpoint' | 'application';

/** Where an event's name is read, exactly one of `header` and `jsonPath`; `signature` null takes unsigned events. */
export interface EventSource {
  readonly header: string | null;
  readonly jsonPath: string | null;
  readonly signature: Signature | null;
  readonly handshake: 'slack' | 'meta' | 'microsoft_graph' | null;
  /** What is the same in each delivery of one event: a header, or a dotted path in the body. */
  readonly delivery: { readonly header: string } | { readonly jsonPath: string } | null;
  readonly secretOf: SecretOf;
  /**
   * Where the body names the provider's accounts that an event belongs to. A provider with such paths posts the events of
   * all accounts to one address, and an integration gets those of its own account.
   */
  readonly accountPaths: readonly string[];
}

/** An application that can be connected: data only, frozen, without any secret. Addresses may hold `{parameter}`. */
export interface App {
  readonly type: string;
  readonly name: string;
  readonly documentationUrl: string | null;
  /** True when authorization and token address, or verification address, were read in the provider's own documentation. */
  readonly verified: boolean;
  readonly auth: OAuth2Auth | ApiKeyAuth;
  readonly apiBaseUrl: string;
  /** Sent with each request to the API, identity and verification included. */
  readonly apiHeaders: Readonly<Record<string, string>>;
  readonly parameters: readonly AppParameter[];
  /** A GET with the credentials; `id` and `name` are dotted paths in its answer. */
  readonly identity: { readonly url: string; readonly id: string; readonly name: string } | null;
  readonly events: readonly string[];
  readonly eventSource: EventSource | null;
}

/** What is written of an app: the fields of `App`, those with a default left out at will. */
export type AppDefinition = AppSchemaInput;

/** Checks, completes and freezes a definition. @throws Error that names every fault, one a line. */
export function defineApp<const T extends string>(definition: AppDefinition & { readonly type: T }): App & { type: T } {
  const result = appSchema(new Set(Object.keys(definition.parameters ?? {}))).safeParse(definition, {
    error: explain,
  });
  if (!result.success) {
    const lines = faultsOf(result.error).map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Error(`The app ${definition.type} is not well defined:\n${lines.join('\n')}`);
  }
  const app: App = result.data;
  return deepFreeze({ ...app, type: definition.type });
}

/** Every address template of an app, each of which its parameters may fill. */
export function urlTemplatesOf({ auth, apiBaseUrl, identity }: App): string[] {
  const own =
    auth.kind === 'oauth2'
      ? [auth.authorizationUrl, auth.tokenUrl, auth.revocationUrl, auth.issuer]
      : [auth.verify.url];
  return [...own, apiBaseUrl, identity?.url].filter((address) => typeof address === 'string');
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner as object);
  return Object.freeze(value);
}
