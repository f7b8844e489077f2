import { type ErrorDetail } from '../../../platform/errors.js';
import { urlTemplatesOf, type App, type AppParameter } from './app.js';
import { sampleCaptures } from './captures.js';
import { appUrlFaults } from './urls/fill-url-template.js';
import { matchesWhole } from './whole-pattern.js';

/** In UTF-16 code units. Longer values are refused before any pattern is applied. */
const MAX_PARAMETER_LENGTH = 255;

/** Validates the given parameters of an app. If there is any error in `details`, `values` is empty. */
export function checkParameters(app: App, given: unknown): { values: Record<string, string>; details: ErrorDetail[] } {
  const source = given ?? {};
  if (typeof source !== 'object' || Array.isArray(source))
    return { values: {}, details: [{ field: 'parameters', message: 'must be an object' }] };
  const details = unknownNames(app, source);
  const values: Record<string, string> = {};
  for (const parameter of app.parameters) {
    const given: unknown = Object.getOwnPropertyDescriptor(source, parameter.name)?.value;
    // The default is stored, so that a later one does not move the connection elsewhere.
    const value = given ?? parameter.default;
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
  // Captures become known later. Samples do not change the shape of a URL.
  const captured = sampleCaptures(app);
  const faults = urlTemplatesOf(app).flatMap((address) => appUrlFaults(app, address, values, captured));
  return [...new Map(faults.map((fault) => [fault.field, fault])).values()];
}
