import { type Config, newRow, type Row, type Values } from '../draft-action.js';
import { writeJson } from '../../../ui/json/json-text.js';
import { readJsonTemplate } from '../values/json-template.js';
import { textOf, type Written } from './define-kind.js';

/** The methods that the service supports. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** The formats of a body. */
export type BodyAs = 'none' | 'json' | 'text';

/** The fields that both kinds of requests have: method, headers and body. */
export function readRequest({ method, headers, body }: Config): Values {
  const rows = Object.entries((headers ?? {}) as Record<string, unknown>).map(([name, value]) =>
    newRow(name, textOf(value)),
  );
  const as = bodyAs(body, rows);
  return {
    texts: {
      method: textOf(method),
      body_as: as,
      body: as === 'none' ? '' : as === 'text' ? textOf(body) : writeJson(body),
    },
    rows: { headers: rows },
  };
}

/** The config from the form's values; empty fields are left out. */
export function writeRequest({ texts, rows }: Values): Written {
  const { method = '', body_as: as = 'none', body = '' } = texts;
  const headers = (rows.headers ?? []).filter(({ name, value }) => name.trim() !== '' || value !== '');
  const json = as === 'json' ? readJsonTemplate(body) : undefined;
  const isTaken = body !== '' && as !== 'none' && json?.fault === undefined;
  return {
    config: {
      method,
      ...(headers.length > 0 && {
        headers: Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value])),
      }),
      ...(isTaken && { body: json === undefined ? body : json.value }),
    },
    faults: { ...doubled(headers), ...(json?.fault !== undefined && body !== '' && { 'config.body': json.fault }) },
  };
}

/** True when a body of text is sent as it is, not as a JSON string. */
export function saysItsType(headers: readonly Row[]): boolean {
  return headers.some(({ name, value }) => name.trim().toLowerCase() === 'content-type' && !value.includes('json'));
}

function bodyAs(body: unknown, headers: readonly Row[]): BodyAs {
  if (body === undefined || body === null) return 'none';
  return typeof body === 'string' && saysItsType(headers) ? 'text' : 'json';
}

function doubled(headers: readonly Row[]): Record<string, string> {
  const names = headers.map(({ name }) => name.trim());
  return Object.fromEntries(
    names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => [`config.headers.${name}`, 'is used twice']),
  );
}
