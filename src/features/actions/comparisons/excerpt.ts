/** The maximum length of an excerpt, in UTF-16 code units. */
export const MAX_EXCERPT = 1_000;

/** A value as an output keeps it. */
export interface Excerpt {
  value: unknown;
  /** True if `value` is only the beginning of the text, or of the JSON as a text. */
  truncated: boolean;
}

/** The value itself if it is short. Reads a long one no further than needed: it may be of a megabyte. */
export function excerptOf(value: unknown): Excerpt {
  let begin = '';
  for (const piece of typeof value === 'string' ? [value] : jsonPieces(value)) {
    begin += piece.length > MAX_EXCERPT ? piece.slice(0, MAX_EXCERPT + 1) : piece;
    if (begin.length > MAX_EXCERPT) return { value: begin.slice(0, MAX_EXCERPT).toWellFormed(), truncated: true };
  }
  return { value, truncated: false };
}

/** The JSON of a value, piece by piece. */
function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') yield JSON.stringify(value.slice(0, MAX_EXCERPT + 1));
  else if (typeof value !== 'object' || value === null) yield String(value);
  else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      yield index === 0 ? '[' : ',';
      yield* jsonPieces(value[index]);
    }
    yield value.length === 0 ? '[]' : ']';
  } else {
    let before = '{';
    for (const key in value) {
      yield `${before}${JSON.stringify(key)}:`;
      yield* jsonPieces((value as Record<string, unknown>)[key]);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}
