import { readInput } from '../../ui/json/json-text.js';
import { type CallApplicationMutationVariables } from './call.generated.js';

/** The methods of a call, in the order in which people look for them. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** The texts of the form. Query and headers have a name and a value in each line. */
export interface CallTexts extends Record<string, string> {
  method: string;
  path: string;
  query: string;
  headers: string;
  body: string;
}

/** A call to send, or the faults of the form by field. */
export type ReadCall =
  { input: CallApplicationMutationVariables['input']; faults?: undefined } | { faults: Record<string, string> };

/** Reads the form of a call. The service checks the rest. */
export function readCall(integrationId: string, { method, path, query, headers, body }: CallTexts): ReadCall {
  const [parameters, fields, content] = [readLines(query, '='), readLines(headers, ':'), readInput(body)];
  const faults = {
    ...(parameters.fault !== undefined && { query: parameters.fault }),
    ...(fields.fault !== undefined && { headers: fields.fault }),
    ...(content.fault !== undefined && { body: content.fault }),
  };
  if (Object.keys(faults).length > 0) return { faults };
  const input = { integrationId, method, path, query: parameters.values, headers: fields.values };
  return { input: { ...input, ...('value' in content && { body: content.value }) } };
}

interface Lines {
  values: Record<string, string | string[]>;
  fault?: string;
}

/** One name and value a line; a repeated name has a list of values. */
function readLines(text: string, separator: string): Lines {
  const found = new Map<string, string[]>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf(separator);
    const name = line.slice(0, at).trim();
    if (at < 0 || name === '')
      return { values: {}, fault: `Line ${index + 1} must have a name, “${separator}” and a value.` };
    found.set(name, [...(found.get(name) ?? []), line.slice(at + 1).trim()]);
  }
  // fromEntries defines own properties, even one named `__proto__`.
  return { values: Object.fromEntries([...found].map(([name, all]) => [name, all.length === 1 ? all[0]! : all])) };
}
