// The types of TypeScript lack it: https://tc39.es/proposal-json-parse-with-source
const { isRawJSON: isRawJson } = JSON as unknown as { isRawJSON: (value: unknown) => boolean };

/** A JSON value as text without spaces, its keys in one order, so that equal values have equal texts. Raw JSON stays as it is. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value);
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
