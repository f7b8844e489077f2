/** The pattern for LIKE and ILIKE of all texts that contain this one; what has a meaning in patterns is escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
