/** A text without the slashes that it ends with; a pattern for them would begin anew at each slash of the text. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
