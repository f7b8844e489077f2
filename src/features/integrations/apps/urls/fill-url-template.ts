import { validationError, type ErrorDetail } from '../../../../platform/errors.js';
import { type App } from '../app.js';
import { type Choices, withChoices } from './choices.js';
import { placeholdersIn, replacePlaceholders, splitUrl, withOrigin } from './url-template.js';

const HOST_VALUE = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/i;

type Values = Readonly<Record<string, string>>;

/**
 * A URL template of an app, filled for a connection: with the texts of chosen values, with defaults for parameters that
 * are newer than the connection, and with captures. @throws AppError of `fillUrlTemplate`.
 */
export function fillAppUrl(app: App, template: string, parameters: Values, captured: Values = {}): string {
  const { chosen, values } = chosenIn(app, template, parameters);
  return fillUrlTemplate(chosen, { ...values, ...captured });
}

/** The errors of `fillAppUrl`. */
export function appUrlFaults(app: App, template: string, parameters: Values, captured: Values = {}): ErrorDetail[] {
  const { chosen, values } = chosenIn(app, template, parameters);
  return shapeFaults(chosen, { ...values, ...captured });
}

/** The template with chosen texts, and the values of the other parameters. */
function chosenIn(app: App, template: string, parameters: Values): { chosen: string; values: Record<string, string> } {
  const values = { ...parameters };
  const choices: Record<string, Choices> = {};
  for (const { name, default: fallback, choices: own } of app.parameters) {
    if (fallback !== null) values[name] ??= fallback;
    if (own !== null) choices[name] = own;
  }
  const chosen = withChoices(template, choices, values);
  // A value that is no longer among the choices must not be inserted as it is.
  for (const name of Object.keys(choices)) delete values[name];
  return { chosen, values };
}

/**
 * The URL with each `{name}` replaced: unchanged in the host, percent-encoded (RFC 3986, 2.1) in path and query. A
 * `{name}` at the beginning is replaced by an origin, which must be a valid capture.
 * @throws AppError `validation_error` if a value is missing or would change the scheme, host or path of the URL.
 */
export function fillUrlTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const [first, ...rest] = shapeFaults(template, values);
  if (first) throw validationError(first, ...rest);
  return render(withOrigin(template, values), values);
}

/** The errors of values that are missing or would change the scheme, host or path of a URL. */
function shapeFaults(given: string, parameters: Readonly<Record<string, string>>): ErrorDetail[] {
  const template = withOrigin(given, parameters);
  const names = placeholdersIn(template);
  const details = (of: string[], message: string): ErrorDetail[] =>
    of.map((name) => ({ field: `parameters.${name}`, message }));
  const missing = names.filter((name) => !Object.hasOwn(parameters, name));
  if (missing.length > 0) return details(missing, 'is required');
  const inHost = placeholdersIn(splitUrl(template)?.host ?? '');
  const misfits = inHost.filter((name) => !HOST_VALUE.test(parameters[name] ?? ''));
  if (misfits.length > 0) return details(misfits, 'must be made of letters, digits, hyphens and single dots');
  return keepsShape(template, parameters) ? [] : details(names, 'must not change the shape of an address');
}

function keepsShape(template: string, parameters: Readonly<Record<string, string>>): boolean {
  if (Object.values(parameters).some((value) => !value.isWellFormed())) return false;
  const filled = render(template, parameters);
  const [url, expected, fixed] = [URL.parse(filled), splitUrl(filled), splitUrl(template)];
  if (!url || !expected || !fixed) return false;
  return (
    url.protocol === `${fixed.scheme}:` &&
    expected.port === fixed.port &&
    url.username + url.password + url.hash === '' &&
    url.hostname === expected.host.toLowerCase() &&
    url.pathname === (expected.path || '/')
  );
}

function render(template: string, parameters: Readonly<Record<string, string>>): string {
  const valueOf = (name: string): string => parameters[name] ?? '';
  const pathStart = /^https?:\/\/[^/?#]*/.exec(template)?.[0].length ?? 0;
  return (
    replacePlaceholders(template.slice(0, pathStart), valueOf) +
    replacePlaceholders(template.slice(pathStart), (name) => percentEncode(valueOf(name)))
  );
}

function percentEncode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
