import { jsonFault, type JsonText, readJson } from '../../ui/json-text.js';

const STRING_OR_PLACEHOLDER = /"(?:\\.|[^"\\])*"|\{\{[^{}]*\}\}/g;

/** Reads JSON. A placeholder outside of quotes is taken as if it had them: alone in its text it keeps the type of its value. */
export function readJsonTemplate(text: string): JsonText {
  const quoted = replaceBare(text, (placeholder) => JSON.stringify(placeholder));
  const read = readJson(quoted);
  // A stand-in as long as the placeholder, so that the place of the fault is that in the text.
  return read.fault === undefined ? read : { fault: jsonFault(replaceBare(text, standIn)) };
}

function replaceBare(text: string, by: (placeholder: string) => string): string {
  return text.replace(STRING_OR_PLACEHOLDER, (found) => (found.startsWith('"') ? found : by(found)));
}

function standIn(placeholder: string): string {
  return `"${'x'.repeat(placeholder.length - 2)}"`;
}
