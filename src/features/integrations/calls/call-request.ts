import { type ErrorDetail, validationError } from '../../../platform/errors.js';
import {
  headerNameFault,
  headerValueFault,
  METHODS,
  requestParts,
  type RequestParts,
} from '../../../platform/http/outbound/request-rules.js';
import { textFault, unstorablePath } from '../../../platform/validation.js';
import { NO_FRAGMENT } from '../app-url.js';
import { type ConnectionOf } from '../tokens/connections.js';
import { type CallApplicationInput } from './call.inputs.js';

/** A call as a client asks for it, validated. */
export interface CallRequest extends RequestParts {
  which: ConnectionOf;
  method: string;
  /** With its query. */
  path: string;
  retries: number;
}

/** @throws AppError `validation_error` with every invalid field. */
export function callRequestOf(input: CallApplicationInput): CallRequest {
  const { method, path, query, headers, body, retries } = input;
  const [first, ...others] = [
    ...faultsOfTarget(input),
    ...faultOf('method', METHODS.some((one) => one === method) ? undefined : `must be one of ${METHODS.join(', ')}`),
    ...faultOf('path', pathFault(path)),
    ...Object.entries(query ?? {}).flatMap(([name, value]) => faultsOfParameter(name, value)),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) => faultOf(`headers.${name}`, headerFault(name, value))),
    ...faultOf('body', unstorablePath(body, 'body') && 'must not contain NUL or lone surrogates'),
  ];
  if (first !== undefined) throw validationError(first, ...others);
  const { integrationId, connection } = input;
  return {
    which: connection == null ? { integrationId: integrationId! } : { connection },
    method,
    path: withQuery(path, query ?? {}),
    retries,
    ...requestParts(body, headers ?? {}),
  };
}

function faultsOfTarget({ integrationId, connection }: CallApplicationInput): ErrorDetail[] {
  if ((integrationId == null) !== (connection == null)) return [];
  const message = integrationId == null ? 'or integrationId is required' : 'cannot be combined with integrationId';
  return [{ field: 'connection', message }];
}

function pathFault(path: string): string | undefined {
  if (!/^\/(?![/\\])/.test(path)) return 'must begin with exactly one /';
  if (path.includes('#')) return NO_FRAGMENT;
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? 'must not contain line breaks or other control characters' : undefined;
}

function headerFault(name: string, value: unknown): string | undefined {
  return headerNameFault(name) ?? (typeof value === 'string' ? headerValueFault(value) : 'must be a text');
}

function faultsOfParameter(name: string, value: unknown): ErrorDetail[] {
  const field = `query.${name}`;
  if (textFault(name, 0, Infinity) !== undefined)
    return [{ field: 'query', message: 'has a name that is no valid text' }];
  const isScalar = (one: unknown) => ['string', 'number', 'boolean'].includes(typeof one);
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  if (value !== null && !values.every(isScalar))
    return [{ field, message: 'must be a text, a number, true, false, or a list of these' }];
  return faultOf(
    field,
    values.map((one) => (typeof one === 'string' ? textFault(one, 0, Infinity) : undefined)).find(Boolean),
  );
}

function faultOf(field: string, message: string | undefined): ErrorDetail[] {
  return message === undefined ? [] : [{ field, message }];
}

function withQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value as unknown[]) : value === null ? [] : [value])
      added.append(name, String(one));
  }
  if (added.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${added.toString()}`;
}
