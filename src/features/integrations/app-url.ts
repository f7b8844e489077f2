import { AppError } from '../../platform/errors.js';
import { withoutTrailingSlashes } from '../../platform/trailing-slashes.js';

/** What servers read as `/` or `.` once they have decoded a path, also one that was encoded several times. */
const HIDDEN: readonly [RegExp, string][] = [
  [/%(?:25)*(?:2f|5c)|\\/gi, '/'],
  [/%(?:25)*2e/gi, '.'],
  [/%(?:25)*3b/gi, ';'],
  // They go when a URL is parsed.
  [/[\t\n\r]/g, ''],
];
/** `.` or `..` between slashes; some servers leave out what follows a `;` there. */
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:[/;]|$)/;

/**
 * The address of a path under a base. @throws AppError `validation_error` for a path that would leave the base, also where
 * only a server that decodes it would see that.
 */
export function appUrl(base: string, path: string): URL {
  const below = withoutTrailingSlashes(base);
  const address = URL.canParse(below + path) ? new URL(below + path) : undefined;
  if (address?.origin !== new URL(base).origin || DOT_SEGMENT.test(asServersRead(path.split(/[?#]/, 1)[0]!))) {
    throw new AppError('validation_error', 'The path would leave the address of the application.');
  }
  return address;
}

function asServersRead(path: string): string {
  return HIDDEN.reduce((text, [hidden, meant]) => text.replace(hidden, meant), path);
}
