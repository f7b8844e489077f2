import { Lexer, Source, TokenKind } from 'graphql';

/** The tokens of a document, at most `limit`; of what is no document, those before its fault. Linear in the text. */
export function tokensIn(text: string, limit: number): number {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  try {
    while (tokens < limit && lexer.advance().kind !== TokenKind.EOF) tokens += 1;
  } catch {
    // The parser says what is wrong with it.
  }
  return tokens;
}
