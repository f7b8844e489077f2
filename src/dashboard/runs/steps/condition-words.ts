/** The result of a condition; runs from before values were kept have only `holds`. */
export interface ConditionOutput {
  holds: boolean;
  found?: unknown;
  expected?: unknown;
  note?: string;
}

const MAX_CHARACTERS = 80;

/** What a comparison expects, before its value. */
const EXPECTED: Readonly<Record<string, string>> = {
  equals: '',
  not_equals: 'anything but ',
  contains: 'something that contains ',
  greater_than: 'greater than ',
  less_than: 'less than ',
};

/** A condition with both values, e.g. “Found 250, expected greater than 100.”; undefined for a run without them. */
export function conditionInWords(operator: unknown, output: ConditionOutput): string | undefined {
  const { found, expected, note } = output;
  if (operator === 'exists') return found === undefined ? 'Found no value, expected one.' : `Found ${shown(found)}.`;
  if (operator === 'not_exists') return `Found ${shown(found)}, expected none.`;
  const comparison = EXPECTED[String(operator)];
  if (comparison === undefined || expected === undefined) return undefined;
  const words = `Found ${shown(found)}, expected ${comparison}${shown(expected)}.`;
  return note === undefined || found === undefined ? words : `${words} ${note}`;
}

/** A text in quotation marks, any other value as JSON, both cut. */
function shown(value: unknown): string {
  if (value === undefined) return 'no value';
  if (typeof value === 'string') return `“${cut(value)}”`;
  return cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…` : text;
}
