/**
 * The text or number at a dotted path, as text without NUL; undefined for anything else. Follows own properties only.
 */
export function textAt(body: unknown, path: string): string | undefined {
  let value = body;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).toWellFormed().replaceAll('\0', '')
    : undefined;
}
