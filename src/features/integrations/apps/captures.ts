import { type App, type AppCapture, type Auth, type AuthKind } from './app.js';
import { appUrlFaults } from './urls/fill-url-template.js';
import { textAt } from './text-at.js';
import { originPlaceholder, SAMPLE_ORIGIN } from './urls/url-template.js';
import { matchesWhole } from './whole-pattern.js';

/** In UTF-16 code units. Longer values are refused before any pattern is applied. */
const MAX_CAPTURE_LENGTH = 255;

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i;

/** Values by the names of their captures. */
export type Captured = Readonly<Record<string, string>>;

/**
 * Reads the captures of a way from a token response. A value that is absent, or that the app does not allow, is left
 * out: it could lead the tokens to a host of another party.
 */
export function captureFrom(app: App, kind: AuthKind, answer: unknown, parameters: Captured): Captured {
  return allowed(app, kind, parameters, ({ path }) => textAt(answer, path));
}

/** The stored captures that the app still allows. Its definition may have changed since they were stored. */
export function stillAllowed(app: App, kind: AuthKind, stored: Captured | undefined, parameters: Captured): Captured {
  return allowed(app, kind, parameters, ({ name }) => stored?.[name]);
}

/** The names of the captures of a way that are absent from these. */
export function missingCaptures(app: App, kind: AuthKind, captured: Captured): string[] {
  return capturesOf(app, kind).flatMap(({ name }) => (Object.hasOwn(captured, name) ? [] : [name]));
}

/** Values that stand for captures whose values are not known yet. */
export function sampleCaptures(app: App): Captured {
  const names = app.auths.flatMap(capturesIn).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, isOrigin(app, name) ? SAMPLE_ORIGIN : 'a']));
}

function capturesOf(app: App, kind: AuthKind): readonly AppCapture[] {
  return app.auths.filter((auth) => auth.kind === kind).flatMap(capturesIn);
}

function capturesIn(auth: Auth): readonly AppCapture[] {
  return auth.kind === 'oauth2' ? auth.captures : [];
}

function allowed(
  app: App,
  kind: AuthKind,
  parameters: Captured,
  read: (capture: AppCapture) => string | undefined,
): Captured {
  const found: Record<string, string> = {};
  for (const capture of capturesOf(app, kind)) {
    const value = allowedValue(app, kind, capture, read(capture));
    if (value !== undefined) found[capture.name] = value;
  }
  const values = { ...sampleCaptures(app), ...found };
  return templates(app).every((template) => appUrlFaults(app, template, parameters, values).length === 0) ? found : {};
}

function allowedValue(
  app: App,
  kind: AuthKind,
  { name, pattern }: AppCapture,
  value: string | undefined,
): string | undefined {
  if (value === undefined || value === '' || value.length > MAX_CAPTURE_LENGTH) return undefined;
  if (pattern === null) return LABEL.test(value) || !isInHost(app, name) ? value : undefined;
  const text = isOrigin(app, name) ? originIn(app, kind, value) : value;
  return text !== undefined && matchesWhole(pattern, text) ? text : undefined;
}

/** The origin, without the slash that some providers add. Its scheme is https, unless the operator chose http. */
function originIn({ auths }: App, kind: AuthKind, value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || url.pathname + url.search + url.hash !== '/' || url.username + url.password !== '')
    return undefined;
  const mayBePlain = auths.some(
    (auth) => auth.kind === kind && 'tokenUrl' in auth && auth.tokenUrl.startsWith('http:'),
  );
  return url.protocol === 'https:' || (mayBePlain && url.protocol === 'http:') ? url.origin : undefined;
}

function isOrigin(app: App, name: string): boolean {
  return templates(app).some((template) => originPlaceholder(template) === name);
}

function isInHost(app: App, name: string): boolean {
  return templates(app).some((template) => /^https?:\/\/[^/?]*/.exec(template)?.[0].includes(`{${name}}`));
}

/** The URL templates that may contain captures. */
function templates({ apiBaseUrl, identity }: App): string[] {
  return identity === null ? [apiBaseUrl] : [apiBaseUrl, identity.url];
}
