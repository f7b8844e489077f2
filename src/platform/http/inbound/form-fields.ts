/** The fields of a query or a form as an object, in order of their first use; a repeated name has a list of its texts. */
export function formFields(fields: URLSearchParams): Record<string, string | string[]> {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of fields) {
    const before = found.get(name);
    if (before === undefined) found.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else found.set(name, [before, value]);
  }
  // fromEntries defines own properties, even one named `__proto__`.
  return Object.fromEntries(found);
}
