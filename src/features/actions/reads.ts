import { definitionOf } from './action-kind.js';
import { type Action } from './action.entity.js';
import { LongAction } from './lists/stored-actions.js';
import { type Path } from './placeholders/path.js';
import { parseTemplate } from './placeholders/template.js';

/** The names of the texts of a request to an inbound hook, which no step can have. */
export const TRIGGER_HEADERS = Symbol('trigger.headers');
export const TRIGGER_QUERY = Symbol('trigger.query');

/** Names a JSON text of a run: null is its input, a string is the output of that step. */
export type TextName = string | null | typeof TRIGGER_HEADERS | typeof TRIGGER_QUERY;

const OF_TRIGGER = new Map<string | undefined, TextName>([
  ['body', null],
  ['headers', TRIGGER_HEADERS],
  ['query', TRIGGER_QUERY],
]);

/** What an action reads from its run, derived from the config alone. */
export interface Reads {
  /** The paths of placeholders, each once. */
  placeholders: readonly Path[];
  /** The paths that its kind reads without a placeholder. */
  outright: readonly Path[];
  /** The number of paths into each text. */
  texts: ReadonlyMap<TextName, number>;
  /** The length of the saved config as JSON, in UTF-16 code units. */
  length: number;
}

/** Never stale: an action of a stored list never changes. The actions of busy workflows stay in memory. */
const known = new WeakMap<Action, Reads>();

/** What a validated action reads, at any depth of its config. Cached for the life of the action object. */
export function readsOf(action: Action): Reads {
  let reads = known.get(action);
  if (reads === undefined) known.set(action, (reads = find(action)));
  return reads;
}

/** The characters of JSON that `readsOf` parses of an action. */
export function unparsedLength(action: Action): number {
  return action instanceof LongAction && !known.has(action) ? action.length : 0;
}

/** The text that a path leads into; undefined for paths into none, e.g. `run.id`. */
export function textNameOf([root, second]: Path): TextName | undefined {
  if (root === 'steps') return second;
  return root === 'trigger' ? OF_TRIGGER.get(second) : undefined;
}

function find({ kind, config }: Action): Reads {
  const outright = definitionOf(kind).reads?.(config) ?? [];
  const placeholders = pathsIn(config);
  const names = [...outright, ...placeholders].map(textNameOf).filter((name) => name !== undefined);
  return {
    placeholders: [...new Map(placeholders.map((path) => [path.join('.'), path])).values()],
    outright,
    texts: new Map([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length])),
    length: JSON.stringify(config).length,
  };
}

function pathsIn(value: unknown): Path[] {
  if (typeof value === 'string') {
    return value.includes('{{') ? parseTemplate(value).filter((part) => typeof part !== 'string') : [];
  }
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(pathsIn);
}
