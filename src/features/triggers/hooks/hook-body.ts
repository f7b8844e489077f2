import { AppError, validationError } from '../../../platform/errors.js';
import { formFields } from '../../../platform/http/inbound/form-fields.js';
import { checkedJson } from '../../../platform/http/inbound/checked-json.js';
import { MAX_HOOK_BYTES, type TextPost } from './inbound-post.js';

/** The fields of a form that is posted to a hook. */
export const MAX_FORM_FIELDS = 10_000;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = /^$|^application\/(?:[^;]+\+)?json$/;
const TEXT_TYPE = /^text\/|^application\/(?:[^;]+\+)?xml$/;

/**
 * The body of a post to a hook as JSON, by its content type. A long JSON text is checked in parts, with a `pause` before
 * each further one. @throws AppError `unsupported_media_type`, `payload_too_large`, and as `checkedJson` does.
 */
export async function hookBodyOf(
  contentType: string | undefined,
  body: Buffer,
  pause: () => Promise<void>,
): Promise<TextPost> {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (body.length === 0) return { body, input: 'null' };
  if (JSON_TYPE.test(type)) return { body, input: await checkedJson(body, pause) };
  if (type !== FORM && !TEXT_TYPE.test(type)) throw unsupported('Send the body as JSON, a form or a text.');
  // curl and fetch name these types for any text whose type its sender does not name.
  const input = await jsonIn(body, pause);
  if (input !== undefined) return { body, input };
  const text = decode(body, parameters);
  return asJson(body, type === FORM ? fieldsOf(text) : text);
}

/** The fields of a form. The time of the parser grows with the square of their number. */
function fieldsOf(form: string): unknown {
  let fields = 1;
  for (let at = form.indexOf('&'); at >= 0; at = form.indexOf('&', at + 1)) fields += 1;
  if (fields > MAX_FORM_FIELDS) {
    const message = `A form may have at most ${MAX_FORM_FIELDS.toLocaleString('en')} fields: send JSON instead.`;
    throw new AppError('payload_too_large', message);
  }
  return formFields(new URLSearchParams(form));
}

/** An object, a list or a text in quotes; undefined for anything else. No form and no XML begins like one. */
async function jsonIn(body: Buffer, pause: () => Promise<void>): Promise<string | undefined> {
  if (!/^\uFEFF?\s*[[{"]/.test(body.toString('utf8', 0, 64))) return undefined;
  try {
    return await checkedJson(body, pause);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_json') return undefined;
    throw error;
  }
}

function decode(body: Buffer, parameters: readonly string[]): string {
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length) ?? 'utf-8';
  const label = charset.replaceAll('"', '');
  try {
    return new TextDecoder(label, { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof RangeError) throw unsupported('The charset of the body is not known.');
    throw validationError({ field: 'body', message: `is not valid in the charset ${label}` });
  }
}

function asJson(body: Buffer, value: unknown): TextPost {
  const input = JSON.stringify(value);
  if (Buffer.byteLength(input) <= MAX_HOOK_BYTES) return { body, input };
  const message = `The body may have at most ${MAX_HOOK_BYTES.toLocaleString('en')} bytes as JSON.`;
  throw new AppError('payload_too_large', message);
}

function unsupported(message: string): AppError {
  return new AppError('unsupported_media_type', message);
}
