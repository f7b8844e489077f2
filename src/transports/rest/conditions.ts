import { type IncomingMessage } from 'node:http';
import { validationError } from '../../platform/errors.js';

/** An entity tag (RFC 9110, 8.8.3). */
const TAG = /(?:W\/)?"[!#-~\x80-\xff]*"/g;

/**
 * The one entity tag of an `If-Match` (RFC 9110, 13.1.1), without its quotes; undefined without the header, and for
 * `*`, which matches any state. A weak tag is returned unchanged, so it never matches.
 * @throws AppError `validation_error` for anything else, including a list of tags.
 */
export function ifMatchOf(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, weak, tag] = /^\s*(W\/)?"([!#-~]*)"\s*$/.exec(header) ?? [];
  if (tag === undefined)
    throw validationError({ field: 'If-Match', message: 'must be one entity tag in quotes, or *' });
  return weak === undefined ? tag : `W/"${tag}"`;
}

/**
 * Whether a client has the representation with this tag already: its `If-None-Match` is `*` or names the tag (RFC 9110,
 * 13.1.2, by weak comparison).
 */
export function isNotModified({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known.trim() === '*' || (known.match(TAG) ?? []).some((tag) => tag.replace(/^W\//, '') === `"${etag}"`);
}
