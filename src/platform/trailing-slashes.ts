/** A text without trailing slashes. A regular expression would restart at each slash of the text (quadratic time). */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
