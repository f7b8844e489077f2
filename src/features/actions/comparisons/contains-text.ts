/** The part of `String` that the search uses, so that a test can count the reads. */
export type Searched = Pick<string, 'length' | 'charCodeAt'>;

/**
 * Whether a text contains another. Reads each code unit of both at most twice (Knuth, Morris and Pratt 1977).
 * `String.includes` is quadratic for repetitive texts: it would block the process for seconds on a megabyte.
 */
export function containsText(text: Searched, wanted: string): boolean {
  if (wanted.length > text.length) return false;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let at = 0; at < text.length && matched < wanted.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (wanted.charCodeAt(matched) === code) matched += 1;
  }
  return matched === wanted.length;
}

/** For each prefix of a text: the length of its longest border, a proper prefix that is also its suffix. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (text.charCodeAt(matched) === code) matched += 1;
    borders[at] = matched;
  }
  return borders;
}
