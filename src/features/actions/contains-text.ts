/** What is read of a text to search it; a test counts the reads. */
export type Searched = Pick<string, 'length' | 'charCodeAt'>;

/**
 * Whether a text contains another, in at most two reads for each of their code units (Knuth, Morris and Pratt 1977).
 * `String.includes` takes their product where both repeat themselves: seconds for a megabyte, in which nothing else happens.
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

/** For each beginning of a text, how long the longest beginning is that it ends with, other than itself. */
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
