/** A piece of JSON text; `kind` is undefined for punctuation and space. */
export interface JsonToken {
  text: string;
  kind: 'key' | 'text' | 'literal' | undefined;
}

/** A truncated string reaches to the end: a search for its end from each quote inside it would take seconds. */
const TOKEN = /("(?:\\.|[^"\\])*(?:"|\\?$))(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Splits pretty JSON for colouring; joined again, the pieces are the text. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match;
    if (match.index > end) tokens.push({ text: text.slice(end, match.index), kind: undefined });
    if (quoted !== undefined && colon !== undefined) {
      tokens.push({ text: quoted, kind: 'key' }, { text: colon, kind: undefined });
    } else {
      tokens.push({ text: whole, kind: quoted === undefined ? 'literal' : 'text' });
    }
    end = match.index + whole.length;
  }
  if (end < text.length) tokens.push({ text: text.slice(end), kind: undefined });
  return tokens;
}
