import { type WaitPurpose } from '../wait-request.js';

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
const WAIT_PARTS = new Set(['url', 'connect_url']);

/**
 * True when `steps.<name>` can address an action of that name: no dot, brace or control character, no space around it.
 */
export function isStepName(name: string): boolean {
  return name !== '' && name.trim() === name && !UNFIT_FOR_NAMES.test(name);
}

/**
 * Reads `trigger.body…`, `trigger.headers…`, `trigger.query…`, `trigger.type`, `trigger.id`, `run.id`, `steps.<name>…`,
 * `waits.<name>.url` or `waits.<name>.connect_url`. Keys are letters, digits and `_ $ @ # : -`; a step's name is any that `isStepName` accepts. The name
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
  } else if (root === 'waits') {
    if (!isStepName(second ?? '')) throw new PathError('"waits" must be followed by a dot and the name of an action');
    if (path.length !== 3 || !WAIT_PARTS.has(path[2]!))
      throw new PathError('the name of a wait must be followed by .url or .connect_url');
  } else throw new PathError('a path must begin with trigger, steps, waits or run');
  for (const key of path.slice(2)) {
    if (!KEY.test(key)) throw new PathError('a path is keys joined by dots: letters, digits and _ $ @ # : - only');
  }
  return root === 'trigger' && second === 'headers' ? path.map((key) => key.toLowerCase()) : path;
}

function ends(path: Path): void {
  if (path.length > 2) throw new PathError(`nothing may follow ${path[0]}.${path[1]}`);
}

/** The names of actions that the paths of an action may use. */
export interface KnownNames {
  /** The actions before it. */
  earlier: ReadonlySet<string>;
  /** The actions of the workflow that may wait, with what they wait for. */
  waits: ReadonlyMap<string, WaitPurpose>;
}

/** Why a path is invalid in an action, or undefined. */
export function unknownName([root, name = '', part]: Path, { earlier, waits }: KnownNames): string | undefined {
  if (root === 'steps' && !earlier.has(name)) return `no earlier action of the workflow has the name "${name}"`;
  if (root !== 'waits') return undefined;
  const purpose = waits.get(name);
  if (purpose === undefined) return 'waits must name an action of the workflow that waits';
  const wanted = partOf(purpose);
  return part === wanted ? undefined : `the wait of that action has a ${wanted}, and no ${part}`;
}

/** The part of `waits.<name>` that a wait has: only that of a connection is a page to connect on. */
function partOf(purpose: WaitPurpose): 'url' | 'connect_url' {
  return purpose === 'connection' ? 'connect_url' : 'url';
}

/** True for the segment of a path that names an item of an array. */
export function isIndex(segment: string): boolean {
  return INDEX.test(segment);
}

/**
 * The value at a path, or undefined if there is none. Follows own data properties only, and in arrays only indices, so
 * that no path reaches a prototype, a getter or `length`.
 */
export function resolvePath(scope: unknown, path: Path): unknown {
  let value = scope;
  for (const segment of path) {
    if (value === null || typeof value !== 'object' || (Array.isArray(value) && !isIndex(segment))) return undefined;
    value = Object.getOwnPropertyDescriptor(value, segment)?.value;
  }
  return value;
}
