/** A LIKE pattern that matches all texts containing this one; special characters are escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
