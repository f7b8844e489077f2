import { jsonSize } from './json-size.js';

/** The length of a piece, in characters: writing it takes about half a millisecond. */
const PIECE_LENGTH = 65_536;

/**
 * The JSON of a value in pieces, as `JSON.stringify` writes it in one. A piece is longer than `PIECE_LENGTH` only where a
 * single string, or a value with `toJSON`, is; or where its strings have many escapes.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  let text = '';
  function* full(): Generator<string, void> {
    if (text.length < PIECE_LENGTH) return;
    yield text;
    text = '';
  }
  function* write(inner: unknown): Generator<string, void> {
    if (isWhole(inner)) {
      text += (JSON.stringify(inner) as string | undefined) ?? 'null';
      yield* full();
    } else if (Array.isArray(inner)) {
      for (const [index, part] of partsOf(inner).entries()) {
        text += index === 0 ? '[' : ',';
        // A part's own brackets belong to the list.
        if (part.length > 1) text += JSON.stringify(part).slice(1, -1);
        else yield* write(part[0]);
        yield* full();
      }
      text += ']';
    } else {
      let before = '{';
      for (const [name, field] of Object.entries(inner)) {
        if (field === undefined) continue;
        text += `${before}${JSON.stringify(name)}:`;
        before = ',';
        yield* write(field);
      }
      text += '}';
    }
  }
  yield* write(value);
  if (text !== '') yield text;
}

/** The items of a list in parts: many short ones together, since writing each by itself takes ten times as long. */
function partsOf(list: readonly unknown[]): unknown[][] {
  const parts: unknown[][] = [];
  let left = 0;
  for (const item of list) {
    const size = jsonSize(item, PIECE_LENGTH);
    if (size > left) {
      parts.push([]);
      left = PIECE_LENGTH;
    }
    parts.at(-1)!.push(item);
    left -= size;
  }
  return parts;
}

/** Whether a value is written in one piece. One that is not has more than `PIECE_LENGTH` characters, so it has entries. */
function isWhole(value: unknown): value is string | number | boolean | null | undefined {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return true;
  return jsonSize(value, PIECE_LENGTH) <= PIECE_LENGTH;
}
