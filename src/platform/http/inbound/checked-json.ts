import { LONG_BYTES } from '../../admission/long-work.js';
import { MAX_JSON_LEVELS } from '../../graphql/scalars.js';
import { JsonCheck } from '../../json/json-check.js';
import { decodeJson, notJson, parseJsonText, tooDeep } from './inbound-body.js';

/**
 * The text of a JSON body whose values are not needed. A long one is checked in parts, and `pause` is awaited between
 * them. @throws AppError as `parseJsonText` does; a long one that is too deep is refused at that place.
 */
export async function checkedJson(bytes: Buffer, pause: () => Promise<void>): Promise<string> {
  const text = decodeJson(bytes);
  if (text.length <= LONG_BYTES) parseJsonText(text);
  else await checkInParts(text, pause);
  return text;
}

async function checkInParts(text: string, pause: () => Promise<void>): Promise<void> {
  const check = new JsonCheck(text, MAX_JSON_LEVELS);
  let found = check.advance(LONG_BYTES);
  for (; found === undefined; found = check.advance(LONG_BYTES)) await pause();
  if (found === 'deep') throw tooDeep();
  if (found === 'invalid') throw notJson();
}
