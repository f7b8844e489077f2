import { validationError } from '../../platform/errors.js';

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
