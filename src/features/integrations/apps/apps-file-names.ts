/** A JSON object whose values are not validated yet. */
export type Fields = Record<string, unknown>;

/** Objects whose keys the operator chooses. */
const MAPS = new Set(['parameters', 'events', 'authorizationParams', 'captures']);
/** Lists of objects. */
const LISTS = new Set(['auth']);
/** Keys that only the built-in catalog may use. */
export const CATALOG_ONLY = new Set([
  'verified',
  'apiHeaders',
  'invalidGrantErrors',
  'delivery',
  'secretOf',
  'accountPaths',
]);

/** True for a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A copy of an app of APPS_FILE with camel-case names. Adds an error (`.a.b: …`) for each key that the file may not
 * have.
 */
export function toDefinitionNames(fields: Fields, faults: string[], path: readonly (string | number)[] = []): Fields {
  const renamed: Fields = {};
  for (const [key, value] of Object.entries(fields)) {
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (/[A-Z]/.test(key) || CATALOG_ONLY.has(name)) {
      faults.push(`${toFilePath(path)}${step(key)}: is not a known key`);
    } else if (isObject(value) && !MAPS.has(name)) {
      renamed[name] = toDefinitionNames(value, faults, [...path, name]);
    } else if (Array.isArray(value) && LISTS.has(name)) {
      renamed[name] = value.map((entry: unknown, index) =>
        isObject(entry) ? toDefinitionNames(entry, faults, [...path, name, index]) : entry,
      );
    } else renamed[name] = value;
  }
  return renamed;
}

/** A path in the file's own notation: `.auth.token_url`, `.events["contact.created"]`. */
export function toFilePath(path: readonly PropertyKey[]): string {
  const map = path.findIndex((part) => MAPS.has(String(part)));
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      return step(map !== -1 && index > map ? String(part) : toFileName(String(part)));
    })
    .join('');
}

function step(name: string): string {
  return /^\w+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A camel-case name as `APPS_FILE` spells it, e.g. `token_url`. */
export function toFileName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
