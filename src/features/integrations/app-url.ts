import { AppError, validationError } from '../../platform/errors.js';
import { withoutTrailingSlashes } from '../../platform/trailing-slashes.js';

/** Sequences that a server may decode to `/`, `.` or `;`, even if they were percent-encoded several times. */
const HIDDEN: readonly [RegExp, string][] = [
  [/%(?:25)*(?:2f|5c)|\\/gi, '/'],
  [/%(?:25)*2e/gi, '.'],
  [/%(?:25)*3b/gi, ';'],
  // URL parsers remove these.
  [/[\t\n\r]/g, ''],
];
/** `.` or `..` between slashes. Some servers ignore what follows a `;` in a segment. */
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:[/;]|$)/;

/** A URL ends at its fragment for HTTP: what follows, also the query, would be lost without a word. */
export const NO_FRAGMENT = 'must not contain #; write it as %23';

/**
 * The URL of a path below a base URL. @throws AppError `validation_error` for a path with a fragment, and for one that
 * would leave the base, even if only a server that decodes it would notice.
 */
export function appUrl(base: string, path: string): URL {
  if (path.includes('#')) throw validationError({ field: 'path', message: NO_FRAGMENT });
  const below = withoutTrailingSlashes(base);
  const address = URL.canParse(below + path) ? new URL(below + path) : undefined;
  if (address?.origin !== new URL(base).origin || DOT_SEGMENT.test(asServersRead(path.split('?', 1)[0]!))) {
    throw new AppError('validation_error', 'The path would leave the address of the application.');
  }
  return address;
}

function asServersRead(path: string): string {
  return HIDDEN.reduce((text, [hidden, meant]) => text.replace(hidden, meant), path);
}
