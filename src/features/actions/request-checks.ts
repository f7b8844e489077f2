import { parseAddress } from '../../platform/http/outbound/addresses.js';
import { faultOf, headerNameFault, headerValueFault, METHODS } from '../../platform/http/outbound/request-rules.js';
import { type ErrorDetail, MAX_DETAILS } from '../../platform/errors.js';
import { orPlaceholder } from '../../platform/json/config-key.js';
import { NO_FRAGMENT } from '../integrations/app-url.js';
import { anything, type Check, oneLine, oneOf, text } from './config-checks.js';
import { type ActionKey } from './define-action.js';
import { type Template } from './placeholders/template.js';

/** An HTTP method in upper case. */
export const methodKey: ActionKey = {
  required: true,
  about: `One of ${METHODS.join(', ')}.`,
  schema: orPlaceholder({ type: 'string', enum: METHODS }),
  check: text({ whole: oneOf(METHODS) }),
};

/**
 * An absolute http or https URL without userinfo. A URL that begins with a placeholder is validated once rendered. With
 * placeholders further on, the scheme is checked now, and that the authority contains no literal `@`.
 */
export const url: Check = text({ whole: urlFault, pieces: oneLine, template: urlTemplateFault });

/** A path on an application's origin. Begins with exactly one `/`: `//host` and `/\host` would lead to another host. */
export const path: Check = text({
  pieces: (piece) => oneLine(piece) ?? (piece.includes('#') ? NO_FRAGMENT : undefined),
  template: ([first]) =>
    typeof first === 'string' && /^\/(?![/\\])/.test(first) ? undefined : 'must begin with exactly one /',
});

/** An object of header names and texts. Refuses names that control the connection or the body's length. */
export const headersKey: ActionKey = {
  required: false,
  about:
    'An object of header names and texts; a number or boolean of a placeholder becomes text. Headers that concern the connection or the length of the body are refused. Without an `Idempotency-Key` here, the service sends `<run id>-<step index>`, the same in each attempt.',
  isText: true,
  schema: { type: ['object', 'null'], additionalProperties: { type: 'string' } },
  check: headersOf,
};

/** Any JSON. */
export const bodyKey: ActionKey = {
  required: false,
  about:
    'Any JSON, which is sent as JSON. A string is sent as plain text if the headers name a `Content-Type` other than JSON.',
  schema: {},
  isJson: true,
  check: anything,
};

function headersOf(value: unknown, field: string): ErrorDetail[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return [{ field, message: 'must be an object of texts' }];
  }
  const faults: ErrorDetail[] = [];
  for (const [name, inner] of Object.entries(value)) {
    // A value without placeholders, as nearly all are, is one piece: a list of thousands is checked without templates.
    const fault = headerNameFault(name);
    if (fault !== undefined) faults.push({ field: `${field}.${name}`, message: fault });
    else if (typeof inner !== 'string' || inner.includes('{{') || headerValueFault(inner) !== undefined)
      faults.push(...headerValue(inner, `${field}.${name}`));
    if (faults.length >= MAX_DETAILS) break;
  }
  return faults;
}

const headerValue = text({ pieces: headerValueFault });

function urlFault(literal: string): string | undefined {
  return faultOf(() => parseAddress(literal));
}

function urlTemplateFault(template: Template): string | undefined {
  const [first = ''] = template;
  if (typeof first !== 'string') return undefined;
  // Checked before parsing, because the URL parser accepts missing slashes and leading space.
  if (!/^https?:\/\//i.test(first)) return 'must start with http:// or https://';
  const written = template.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  const [, authority = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(written)!;
  return authority.includes('@') ? 'must not contain a user name or password' : undefined;
}
