/** Words that a field may hold, each with what it means. */
export type Meanings = Readonly<Record<string, string>>;

/** They as a Markdown list, for the description of that field. */
export function wordList(meanings: Meanings): string {
  return Object.entries(meanings)
    .map(([word, meaning]) => `- \`${word}\`: ${meaning}`)
    .join('\n');
}
