import { endOfContainer, endOfString, endOfValue, isSpace } from '../../../platform/json/json-depth.js';
import { isIndex, type Path, resolvePath } from './path.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;

/** A place that paths lead to or through. */
interface Place {
  readonly places: Map<string, Place>;
  /** Whether a path ends here. */
  isWanted: boolean;
  /** The highest index among `places`; -1 without one. */
  last: number;
  /** The number of the last value at this place, and of the value that it was found in: 0 before any. */
  value: number;
  within: number;
  /** Where that value is in the text. */
  start: number;
  end: number;
}

/**
 * Reads the values at some paths of a JSON text, each as `resolvePath` of the parsed text. Only those values are parsed:
 * a megabyte of small objects parses in 30 ms, and leaves twenty megabytes to collect. The text must be valid JSON.
 */
export function valuesIn(text: string, paths: readonly Path[]): (path: Path) => unknown {
  const root = placeOf();
  for (const path of paths) {
    let place = root;
    for (const segment of path) {
      const next = place.places.get(segment) ?? placeOf();
      place.places.set(segment, next);
      if (isIndex(segment)) place.last = Math.max(place.last, Number(segment));
      place = next;
    }
    place.isWanted = true;
  }
  if (!root.isWanted) new Search(text).search(root, 0);
  // Values in one another would be parsed again and again.
  if (root.isWanted || lengthOf(root) > text.length) {
    const parsed: unknown = JSON.parse(text);
    return (path) => resolvePath(parsed, path);
  }
  const parsed = new Map<Place, unknown>();
  return (path) => {
    const place = at(root, path);
    if (place === undefined) return undefined;
    if (!parsed.has(place)) parsed.set(place, JSON.parse(text.slice(place.start, place.end)));
    return parsed.get(place);
  };
}

function placeOf(): Place {
  return { places: new Map(), isWanted: false, last: -1, value: 0, within: 0, start: 0, end: 0 };
}

/** The place of a path's value; undefined if the text has none. */
function at(root: Place, path: Path): Place | undefined {
  let place = root;
  for (const segment of path) {
    const next = place.places.get(segment);
    if (next === undefined || !isFound(next, place)) return undefined;
    place = next;
  }
  return place;
}

/** False if the value at a place was in an object that a later member of the same name has replaced. */
function isFound(place: Place, parent: Place): boolean {
  return place.value > 0 && place.within === parent.value;
}

/** The characters of all values at the ends of paths. */
function lengthOf(place: Place): number {
  let sum = place.isWanted ? place.end - place.start : 0;
  for (const inner of place.places.values()) if (isFound(inner, place)) sum += lengthOf(inner);
  return sum;
}

/** Looks once through a text for the values at places. */
class Search {
  private values = 0;

  constructor(private readonly text: string) {}

  /** Notes the value that begins at `start`, and looks for places in it. @returns its end. */
  search(place: Place, start: number): number {
    const from = this.afterSpace(start);
    this.values += 1;
    place.value = this.values;
    place.start = from;
    place.end = this.searchIn(place, from);
    return place.end;
  }

  private searchIn(place: Place, from: number): number {
    const code = this.text.charCodeAt(from);
    if (place.places.size > 0 && code === OPENING_BRACE) return this.searchMembers(place, from + 1);
    if (place.places.size > 0 && code === OPENING_BRACKET) return this.searchItems(place, from + 1);
    return endOfValue(this.text, from);
  }

  private searchMembers(place: Place, from: number): number {
    const { text } = this;
    let at = this.afterSpace(from);
    while (text.charCodeAt(at) === QUOTE) {
      const end = endOfString(text, at + 1);
      const name = text.slice(at + 1, end);
      const colon = this.afterSpace(end + 1);
      at = this.afterValue(this.searchInner(place, name.includes('\\') ? unescaped(name) : name, colon + 1));
    }
    return at + 1;
  }

  private searchItems(place: Place, from: number): number {
    let at = this.afterSpace(from);
    for (let index = 0; index <= place.last && this.text.charCodeAt(at) !== CLOSING_BRACKET; index += 1)
      at = this.afterValue(this.searchInner(place, String(index), at));
    return endOfContainer(this.text, at);
  }

  /** The value of a member or an item. @returns its end. */
  private searchInner(parent: Place, segment: string, start: number): number {
    const inner = parent.places.get(segment);
    if (inner === undefined) return endOfValue(this.text, this.afterSpace(start));
    inner.within = parent.value;
    return this.search(inner, start);
  }

  /** The beginning of what follows a value and its comma. */
  private afterValue(end: number): number {
    const at = this.afterSpace(end);
    return this.text.charCodeAt(at) === COMMA ? this.afterSpace(at + 1) : at;
  }

  private afterSpace(from: number): number {
    let at = from;
    while (isSpace(this.text.charCodeAt(at))) at += 1;
    return at;
  }
}

function unescaped(name: string): string {
  return JSON.parse(`"${name}"`) as string;
}
