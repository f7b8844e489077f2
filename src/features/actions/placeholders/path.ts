/** The segments of a dotted path, e.g. `trigger.body.items.2.id`. */
export type Path = readonly string[];

/** Why a text is not a path, phrased to follow the name of a field. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

const KEY = /^[\p{L}\p{M}\p{N}_$@#:-]+$/u;
const UNFIT_FOR_NAMES = /[.{}\p{Cc}\p{Zl}\p{Zp}]/u;
const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const TRIGGER_PARTS = new Set(['body', 'headers', 'query', 'type', 'id']);
const TRIGGER_WORDS = new Set(['type', 'id']);

/**
 * True when `steps.<name>` can address an action of that name: no dot, brace or control character, no space around it.
 */
export function isStepName(name: string): boolean {
  return name !== '' && name.trim() === name && !UNFIT_FOR_NAMES.test(name);
}

/**
 * Reads `trigger.body…`, `trigger.headers…`, `trigger.query…`, `trigger.type`, `trigger.id`, `run.id` or
 * `steps.<name>…`. Keys are letters, digits and `_ $ @ # : -`; a step's name is any that `isStepName` accepts. The name
 * of a header is returned in lower case, as it is stored. @throws PathError
 */
export function parsePath(text: string): Path {
  const path = text.split('.');
  const [root, second] = path;
  if (root === 'trigger') {
    if (!TRIGGER_PARTS.has(second ?? '')) {
      throw new PathError('"trigger" must be followed by .body, .headers, .query, .type or .id');
    }
    if (TRIGGER_WORDS.has(second!)) ends(path);
  } else if (root === 'run') {
    if (second !== 'id') throw new PathError('"run" must be followed by .id');
    ends(path);
  } else if (root === 'steps') {
    if (!isStepName(second ?? '')) throw new PathError('"steps" must be followed by a dot and the name of an action');
  } else throw new PathError('a path must begin with trigger, steps or run');
  for (const key of path.slice(2)) {
    if (!KEY.test(key)) throw new PathError('a path is keys joined by dots: letters, digits and _ $ @ # : - only');
  }
  return root === 'trigger' && second === 'headers' ? path.map((key) => key.toLowerCase()) : path;
}

function ends(path: Path): void {
  if (path.length > 2) throw new PathError(`nothing may follow ${path[0]}.${path[1]}`);
}

/** Why a path is invalid in an action that runs after the actions named `earlier`, or undefined. */
export function unknownStep([root, name = '']: Path, earlier: ReadonlySet<string>): string | undefined {
  return root === 'steps' && !earlier.has(name) ? 'steps must name an earlier action of the workflow' : undefined;
}

/**
 * The value at a path, or undefined if there is none. Follows own data properties only, and in arrays only indices, so
 * that no path reaches a prototype, a getter or `length`.
 */
export function resolvePath(scope: unknown, path: Path): unknown {
  let value = scope;
  for (const segment of path) {
    if (value === null || typeof value !== 'object' || (Array.isArray(value) && !INDEX.test(segment))) return undefined;
    value = Object.getOwnPropertyDescriptor(value, segment)?.value;
  }
  return value;
}
