/** An identifier in words: `company_id` as “Company id”. */
export function inWords(word: string): string {
  const words = word.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
