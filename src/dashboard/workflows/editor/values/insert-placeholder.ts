/** The form of an inserted placeholder: unchanged, as JSON (quoted if necessary), or as a bare path. */
export type PlaceholderStyle = 'text' | 'json' | 'path';

/** The text with a placeholder instead of the selection, and the new position of the caret. */
export function insertPlaceholder(
  text: string,
  [start, end]: readonly [number, number],
  path: string,
  style: PlaceholderStyle,
): { text: string; caret: number } {
  if (style === 'path') return { text: path, caret: path.length };
  // Removes the `{{` that opened the picker.
  const from = text.slice(0, start).endsWith('{{') ? start - 2 : start;
  const written = `{{ ${path} }}`;
  const isBare = style === 'json' && !isInString(text.slice(0, from));
  const placed = isBare ? `"${written}"` : written;
  return { text: `${text.slice(0, from)}${placed}${text.slice(end)}`, caret: from + placed.length };
}

/** True where JSON text ends within a string. */
function isInString(before: string): boolean {
  let inside = false;
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === '\\') at += 1;
    else if (before[at] === '"') inside = !inside;
  }
  return inside;
}
