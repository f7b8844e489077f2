import { validationError, type ErrorDetail } from '../../../platform/errors.js';
import { placeholdersIn, replacePlaceholders, splitUrl } from './url-template.js';
import { urlTemplatesOf, type App, type AppParameter } from './app.js';
import { matchesWhole } from './whole-pattern.js';

/** In UTF-16 code units. Longer values are refused before any pattern is applied. */
const MAX_PARAMETER_LENGTH = 255;

const HOST_VALUE = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/i;

/**
 * The URL with each `{name}` replaced: unchanged in the host, percent-encoded (RFC 3986, 2.1) in path and query.
 * @throws AppError `validation_error` if a value is missing or would change the scheme, host or path of the URL.
 */
export function fillUrlTemplate(template: string, parameters: Readonly<Record<string, string>>): string {
  const [first, ...rest] = shapeFaults(template, parameters);
  if (first) throw validationError(first, ...rest);
  return render(template, parameters);
}

/** Validates the given parameters of an app. If there is any error in `details`, `values` is empty. */
export function checkParameters(app: App, given: unknown): { values: Record<string, string>; details: ErrorDetail[] } {
  const source = given ?? {};
  if (typeof source !== 'object' || Array.isArray(source))
    return { values: {}, details: [{ field: 'parameters', message: 'must be an object' }] };
  const details = unknownNames(app, source);
  const values: Record<string, string> = {};
  for (const parameter of app.parameters) {
    const value: unknown = Object.getOwnPropertyDescriptor(source, parameter.name)?.value;
    const message = valueFault(parameter, value);
    if (message === undefined) values[parameter.name] = value as string;
    else details.push({ field: `parameters.${parameter.name}`, message });
  }
  if (details.length === 0) details.push(...shapeFaultsOfAll(app, values));
  return details.length === 0 ? { values, details } : { values: {}, details };
}

function unknownNames(app: App, source: object): ErrorDetail[] {
  const known = new Set(app.parameters.map(({ name }) => name));
  return Object.keys(source)
    .filter((name) => !known.has(name))
    .map((name) => ({ field: `parameters.${name}`, message: `is not a parameter of ${app.type}` }));
}

function valueFault({ pattern }: AppParameter, value: unknown): string | undefined {
  if (value === undefined || value === null) return 'is required';
  if (typeof value !== 'string') return 'must be a text';
  if (value === '') return 'must not be empty';
  if (value.length > MAX_PARAMETER_LENGTH) return `must have at most ${MAX_PARAMETER_LENGTH} characters`;
  if (!value.isWellFormed() || /\p{Cc}/u.test(value)) return 'must have no control characters or lone surrogates';
  return matchesWhole(pattern, value) ? undefined : `must match ${pattern}`;
}

function shapeFaultsOfAll(app: App, values: Record<string, string>): ErrorDetail[] {
  const faults = urlTemplatesOf(app).flatMap((address) => shapeFaults(address, values));
  return [...new Map(faults.map((fault) => [fault.field, fault])).values()];
}

function shapeFaults(template: string, parameters: Readonly<Record<string, string>>): ErrorDetail[] {
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
