/** The part of `String` that the search uses, so that a test can count the reads. */
export type Searched = Pick<string, 'length' | 'charCodeAt'>;

/**
 * Whether a text contains another. Reads each code unit of both once, and compares it twice at most on average (Knuth,
 * Morris and Pratt 1977). `String.includes` is quadratic for repetitive texts: it would block the process for seconds on
 * a megabyte.
 */
export function containsText(text: Searched, wanted: string): boolean {
  if (wanted.length > text.length) return false;
  if (wanted === '') return true;
  const codes = codesOf(wanted);
  const shorter = shorterMatches(codes);
  const [length, all] = [text.length, codes.length];
  let matched = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched >= 0 && codes[matched] !== code) matched = shorter[matched]!;
    matched += 1;
    if (matched === all) return true;
  }
  return false;
}

/** The code units of a text, where they are read faster than in it. */
function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at);
  return codes;
}

/**
 * For each number of matched code units: the next smaller number that may still match when the unit after them does not,
 * or -1 if there is none. Numbers that the same unit would follow are left out, as it does not match.
 */
function shorterMatches(codes: Uint16Array): Int32Array {
  const shorter = new Int32Array(codes.length);
  shorter[0] = -1;
  let matched = 0;
  for (let at = 1; at < codes.length; at += 1) {
    shorter[at] = codes[at] === codes[matched] ? shorter[matched]! : matched;
    while (matched >= 0 && codes[at] !== codes[matched]) matched = shorter[matched]!;
    matched += 1;
  }
  return shorter;
}
