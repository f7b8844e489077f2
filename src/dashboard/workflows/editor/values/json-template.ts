import { lossInJson } from '../../../ui/json/json-losses.js';
import { jsonFault, type JsonText, parseJson } from '../../../ui/json/json-text.js';

const STRING_OR_PLACEHOLDER = /"(?:\\.|[^"\\])*"|\{\{[^{}]*\}\}/g;

/** Parses JSON. An unquoted placeholder counts as quoted: alone in its string it keeps the type of its value. */
export function readJsonTemplate(text: string): JsonText {
  const quoted = replaceBare(text, (placeholder) => JSON.stringify(placeholder));
  const read = parseJson(quoted);
  // A substitute of the same length, so that positions of faults match the text.
  if (read.fault !== undefined) return { fault: jsonFault(replaceBare(text, standIn)) };
  const loss = lossInJson(text);
  return loss === undefined ? read : { fault: loss };
}

function replaceBare(text: string, by: (placeholder: string) => string): string {
  return text.replace(STRING_OR_PLACEHOLDER, (found) => (found.startsWith('"') ? found : by(found)));
}

function standIn(placeholder: string): string {
  return `"${'x'.repeat(placeholder.length - 2)}"`;
}
