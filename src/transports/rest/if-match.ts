import { validationError } from '../../platform/errors.js';

/**
 * The one entity tag of an `If-Match` (RFC 9110, 13.1.1), without its quotes; undefined without the header, and for `*`,
 * which whatever is there matches. A weak tag never matches: it is given as it stands.
 * @throws AppError `validation_error` for anything else, a list of tags too.
 */
export function ifMatchOf(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, weak, tag] = /^\s*(W\/)?"([!#-~]*)"\s*$/.exec(header) ?? [];
  if (tag === undefined)
    throw validationError({ field: 'If-Match', message: 'must be one entity tag in quotes, or *' });
  return weak === undefined ? tag : `W/"${tag}"`;
}
