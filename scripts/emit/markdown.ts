/** A Markdown table; a cell must contain no line break and no `|`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A link from a page in `docs` to a file, whose path is relative to the package. */
export function link(file: string, text = file.split('/').slice(-2).join('/')): string {
  return `[${text}](../${file})`;
}
