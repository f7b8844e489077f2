/** A text read as JSON, or why it is none. */
export type JsonText = { value: unknown; fault?: undefined } | { fault: string };

const STRING_OR_PLACEHOLDER = /"(?:\\.|[^"\\])*"|\{\{[^{}]*\}\}/g;

/** Reads JSON. A placeholder outside of quotes is taken as if it had them: alone in its text it keeps the type of its value. */
export function readJson(text: string): JsonText {
  const plain = parse(text);
  if (plain.fault === undefined) return plain;
  const quoted = text.replace(STRING_OR_PLACEHOLDER, (found) =>
    found.startsWith('"') ? found : JSON.stringify(found),
  );
  const mended = quoted === text ? plain : parse(quoted);
  return mended.fault === undefined ? mended : plain;
}

/** As people write it: two spaces, and nothing at all for nothing. */
export function writeJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

function parse(text: string): JsonText {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: `This is not valid JSON: ${reason(error as Error, text)}` };
  }
}

/** The browser's words, with the place as people count it where the browser tells it. */
function reason({ message }: Error, text: string): string {
  if (text.trim() === '') return 'it is empty.';
  const at = /at position (\d+)/.exec(message)?.[1];
  const what = message
    .replace(/,? \.{0,3}"[\s\S]*$| (?:in JSON )?at position[\s\S]*$/, '')
    .replace(/^JSON\.parse: /, '');
  if (at === undefined) return `${what}.`;
  const before = text.slice(0, Number(at)).split('\n');
  return `${what}, line ${before.length}, column ${before.at(-1)!.length + 1}.`;
}
