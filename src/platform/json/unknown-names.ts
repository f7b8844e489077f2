import { type ErrorDetail, MAX_DETAILS } from '../errors.js';
import { type ConfigKeys, configNames } from './config-key.js';

/** What other products call a name of this one. */
const ALIASES = new Map([['tz', 'timezone']]);
/** Shorter names are near too many others. */
const MIN_LENGTH = 4;
/** From this length on, two edits are a misspelling too. */
const MIN_LENGTH_OF_TWO = 6;

/** The maximum number of unknown names of an object that are compared by edits. A person does not misspell more. */
const MAX_COMPARED = 1_000;
/** The maximum of ignored names that a response lists. */
export const MAX_IGNORED = 20;

/** How unknown keys of a `config` are treated. */
export interface NameRules {
  strictNames: boolean;
  /** Gets those that are ignored, with their paths, up to `MAX_IGNORED`. */
  ignoredNames: Set<string>;
}

/** The faults of the names in a config, see `faultsOfNames`; notes the unknown ones that are none. `at`: the path to it. */
export function faultsOfConfigNames(
  config: Readonly<Record<string, unknown>>,
  keys: ConfigKeys,
  at: string,
  rules: NameRules,
): ErrorDetail[] {
  noteIgnored(config, keys, at, rules);
  return configNames(config, keys, at).flatMap(({ at: path, given, known }) =>
    faultsOfNames(given, known, path, rules.strictNames),
  );
}

/** Notes the unknown names in a config, while there is room for them. */
export function noteIgnored(
  config: Readonly<Record<string, unknown>>,
  keys: ConfigKeys,
  at: string,
  { ignoredNames }: NameRules,
): void {
  if (ignoredNames.size >= MAX_IGNORED) return;
  for (const { at: path, given, known } of configNames(config, keys, at)) {
    for (const name of given) {
      if (known.includes(name)) continue;
      ignoredNames.add(path + name);
      if (ignoredNames.size >= MAX_IGNORED) return;
    }
  }
}

/**
 * The faults of names that a request may not have. `given`: all names of one object, `at`: the path
 * before them, with a dot at its end. Without `strict` an unknown name is
 * a fault only if it is probably a misspelling of a known one, see `nearNames`.
 */
export function faultsOfNames(
  given: readonly string[],
  known: readonly string[],
  at: string,
  strict: boolean,
): ErrorDetail[] {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length === 0) return [];
  const missing = known.filter((name) => !given.includes(name));
  if (missing.length === 0 && !strict) return [];
  const nearOf = nearNames(missing);
  const faults: ErrorDetail[] = [];
  for (const name of unknown) {
    if (faults.length === MAX_DETAILS) break;
    const near = nearOf(name);
    if (near !== undefined) faults.push({ field: at + name, message: `is unknown; did you mean ${near}?` });
    else if (strict) faults.push({ field: at + name, message: 'is unknown' });
  }
  return faults;
}

/**
 * Finds the known name that an unknown one probably means: one that differs only in case, `_` and `-`, or by one edit,
 * from six characters on by two. An edit inserts, deletes or replaces a character, or swaps two neighbours. Only the
 * first `MAX_COMPARED` names are compared by edits.
 */
export function nearNames(known: readonly string[]): (name: string) => string | undefined {
  const candidates = known.filter((name) => name.length >= MIN_LENGTH);
  // The first of two names in the same style wins.
  const byPlain = new Map(candidates.toReversed().map((name) => [withoutStyle(name), name]));
  let compared = 0;
  return (name) => {
    const alias = ALIASES.get(name);
    if (alias !== undefined && known.includes(alias)) return alias;
    if (name.length < MIN_LENGTH) return undefined;
    const same = byPlain.get(withoutStyle(name));
    if (same !== undefined || compared === MAX_COMPARED) return same;
    compared += 1;
    const edits = name.length < MIN_LENGTH_OF_TWO ? 1 : 2;
    return candidates.find((other) => isWithin(edits, name, other));
  };
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/**
 * Whether so many edits make the rest of one text, from an index on, the rest of another: their optimal string alignment
 * distance. It is no table: a body of 100 kB may have thousands of unknown names, and most differ within their first characters.
 */
function isWithin(edits: number, one: string, other: string, at = 0, otherAt = 0): boolean {
  if (Math.abs(one.length - at - (other.length - otherAt)) > edits) return false;
  while (at < one.length && one[at] === other[otherAt]) [at, otherAt] = [at + 1, otherAt + 1];
  if (at >= one.length && otherAt >= other.length) return true;
  if (edits === 0) return false;
  const isSwapped = one[at] === other[otherAt + 1] && one[at + 1] === other[otherAt];
  return (
    isWithin(edits - 1, one, other, at + 1, otherAt + 1) ||
    isWithin(edits - 1, one, other, at + 1, otherAt) ||
    isWithin(edits - 1, one, other, at, otherAt + 1) ||
    (isSwapped && isWithin(edits - 1, one, other, at + 2, otherAt + 2))
  );
}
