import { type Access } from '../../../platform/context.js';
import { ERROR_KINDS, type ErrorCode } from '../../../platform/errors.js';
import { type Operation } from '../documents.js';
import { takesIdempotencyKey } from '../routes.js';
import { headers } from './frame.js';
import { type Input } from './inputs.js';
import { type JsonSchema } from './json-schema.js';

/** When a client gets each error code, for the reference. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  validation_error:
    'A parameter or body field is missing, misspelled, of the wrong type or out of range; `details` names each.',
  invalid_json: 'The body is not a JSON object.',
  answer_too_large:
    'The response would exceed 16 MB, or 2 MB with an `Idempotency-Key`; the message names the fields to leave out.',
  unauthorized:
    'The key is missing, malformed, unknown, revoked or expired; or an id names a resource of another account.',
  forbidden:
    'The scope of the key is too small; or the request needs a signed-in person; or it exceeds a connect session.',
  not_found: 'No resource has this id.',
  method_not_allowed: 'The path does not support this method; `Allow` lists the supported ones.',
  conflict:
    'The current state of the resource or of the service does not allow the request. With `Idempotent-Replayed: true`: the first request took effect, and its response was too large to keep.',
  idempotency_in_progress:
    'A request with this `Idempotency-Key` is still in flight; `Retry-After` says when to try again.',
  not_connected: 'The integration is not connected.',
  gone: 'The callback or approval is over, or the log no longer has the event of `after`.',
  precondition_failed:
    'The resource is no longer of the version that the request names; nothing has changed. Read it again.',
  payload_too_large:
    'The body has more than 102,400 bytes. Hooks, callbacks, events of applications and the proxy take more.',
  unsupported_media_type: 'The body is not declared as `application/json`.',
  invalid_credentials: 'The external application refused the credentials.',
  idempotency_mismatch: 'The `Idempotency-Key` was used with another body.',
  rate_limited:
    'Too many requests, too much stored, or the application asked to wait; `Retry-After` says when to try again.',
  internal_error: 'Something went wrong on our side.',
  provider_unavailable:
    'The external application could not be reached. A call may have taken effect there, and each repetition calls again.',
  unavailable: 'The database is unavailable, or an encryption key is missing; `Retry-After` says when to try again.',
};

const HEADERS: Readonly<Partial<Record<ErrorCode, 'WWW-Authenticate' | 'Retry-After'>>> = {
  unauthorized: 'WWW-Authenticate',
  rate_limited: 'Retry-After',
  unavailable: 'Retry-After',
};

/** Every error code that a route can return, in the order of its checks. */
export function refusalsOf({ route, takesIfMatch }: Operation, access: Access, inputs: readonly Input[]): ErrorCode[] {
  // Requests without declared body fields may still carry a body, which must be valid JSON.
  const takesBody = route.method !== 'GET';
  const takesQuery = inputs.some((input) => input.in === 'query');
  const codes: (ErrorCode | false)[] = [
    'unauthorized',
    // A connect session may only read where its access says so, and only its own integration.
    (access !== 'follow' || inputs.some(({ isId }) => isId)) && 'forbidden',
    'rate_limited',
    takesBody && 'payload_too_large',
    takesBody && 'unsupported_media_type',
    takesBody && 'invalid_json',
    // For names in the query, which any request may have.
    'validation_error',
    inputs.some(({ isId }) => isId) && 'not_found',
    ...(takesIdempotencyKey(route) ? (['conflict', 'idempotency_in_progress', 'idempotency_mismatch'] as const) : []),
    ...(route.refusals ?? []),
    takesIfMatch && 'precondition_failed',
    route.method === 'GET' && takesQuery && 'answer_too_large',
    'unavailable',
    'internal_error',
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

/** The one body of every error. */
export const ERROR_SCHEMA: JsonSchema = {
  description: 'Why a request was refused.',
  type: 'object',
  properties: {
    code: { description: 'For machines.', type: 'string', enum: Object.keys(ERROR_KINDS) },
    message: { description: 'A sentence for people.', type: 'string' },
    details: {
      description:
        'Of a `validation_error`: each field that was refused. Also of `invalid_credentials`, and of `not_found` because of an id in the body.',
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          field: { description: 'A dotted path, e.g. `config.cron`.', type: 'string' },
          message: { type: 'string' },
        },
        required: ['field', 'message'],
      },
    },
  },
  required: ['code', 'message'],
  examples: [
    {
      code: 'validation_error',
      message: 'per_page: must be at most 100',
      details: [{ field: 'per_page', message: 'must be at most 100' }],
    },
  ],
};

/** Responses for error codes by status, each once in `components.responses`. */
export class Refusals {
  readonly responses: Record<string, JsonSchema> = {};

  byStatus(codes: readonly ErrorCode[]): Map<number, JsonSchema> {
    const statuses = new Set(codes.map((code) => ERROR_KINDS[code].status));
    return new Map(
      [...statuses].map((status) => [
        status,
        this.response(codes.filter((code) => ERROR_KINDS[code].status === status)),
      ]),
    );
  }

  private response(codes: readonly ErrorCode[]): JsonSchema {
    const name = [...codes].sort().join('-or-');
    const more = codes.flatMap((code) => HEADERS[code] ?? []);
    this.responses[name] ??= {
      description: codes
        .map((code) => (codes.length > 1 ? `\`${code}\`: ${MEANINGS[code]}` : MEANINGS[code]))
        .join('\n\n'),
      headers: headers(...more),
      content: {
        'application/json': {
          // `allOf`, because many tools ignore the siblings of `$ref`, as OpenAPI 3.0 required.
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Error' },
              { type: 'object', properties: { code: { type: 'string', enum: codes } } },
            ],
          },
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }
}
