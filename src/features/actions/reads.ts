import { definitionOf } from './action-kind.js';
import { type Action } from './action.entity.js';
import { type Path } from './path.js';
import { parseTemplate } from './template.js';

/** Names a JSON text of a run: its input by null, the output of a step by the step's name. */
export type TextName = string | null;

/** What an action reads of its run, known without any value of it. */
export interface Reads {
  /** The paths of placeholders, each once. */
  placeholders: readonly Path[];
  /** The paths that its kind reads by itself. */
  outright: readonly Path[];
  /** How many places read each text. */
  texts: ReadonlyMap<TextName, number>;
  /** The config as it was saved, in UTF-16 units of JSON. */
  length: number;
}

/** An action of a stored list never changes, and those of busy workflows stay in memory. */
const known = new WeakMap<Action, Reads>();

/** What an action reads, whatever the depth of its config. Expects one that was validated. */
export function readsOf(action: Action): Reads {
  let reads = known.get(action);
  if (reads === undefined) known.set(action, (reads = find(action)));
  return reads;
}

/** The text that a path leads into; undefined for what is known without one. */
export function textNameOf([root, second]: Path): TextName | undefined {
  if (root === 'steps') return second;
  return root === 'trigger' && second === 'body' ? null : undefined;
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
