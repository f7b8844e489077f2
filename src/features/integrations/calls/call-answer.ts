import { currentWork } from '../../../platform/admission/work.js';
import {
  type HeaderFields,
  MAX_ANSWER_DEPTH,
  type OutboundResponse,
} from '../../../platform/http/outbound/outbound-response.js';
import { exceedsDepth } from '../../../platform/json/json-depth.js';
import { type ApplicationResponse } from './call.inputs.js';

const JSON_TYPE = /^(?:application\/(?:[\w.+-]+\+)?json|text\/(?:[\w.+-]+\+)?json)$/;
const TEXT_TYPE =
  /^(?:text\/.+|.+\+(?:json|xml|yaml)|application\/(?:json|xml|yaml|x-yaml|javascript|ecmascript|graphql|sql|x-ndjson|jsonl|json-seq|x-www-form-urlencoded))$/;

/** What a client gets of a response; its memory counts towards the client's own response. */
export async function answerOf(
  integrationId: string,
  response: OutboundResponse,
  signal: AbortSignal,
): Promise<ApplicationResponse> {
  const { status, fields, isCut } = response;
  const kind = kindOf(response);
  await currentWork().answer?.receive(response.body.length, kind === 'json' ? 'json' : 'text', signal);
  return { integrationId, status, headers: headersOf(fields), body: bodyOf(response, kind), truncated: isCut };
}

/** Cookies are for browsers: one of the service's clients must not keep them. */
function headersOf(fields: HeaderFields): Record<string, string | string[]> {
  // Object.fromEntries defines `__proto__` like any other key.
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      name === 'set-cookie' || value === undefined ? [] : [[name, value] as const],
    ),
  );
}

type BodyKind = 'json' | 'text' | 'unknown';

function kindOf({ headers: { 'content-type': type }, isCut }: OutboundResponse): BodyKind {
  const media = type?.split(';', 1)[0]!.trim().toLowerCase() ?? '';
  if (media === '') return 'text';
  if (JSON_TYPE.test(media) && !isCut) return 'json';
  return TEXT_TYPE.test(media) ? 'text' : 'unknown';
}

function bodyOf({ body, isCut }: OutboundResponse, kind: BodyKind): unknown {
  if (body.length === 0) return null;
  const text = kind === 'unknown' ? undefined : decode(isCut ? wholeCharacters(body) : body);
  if (text === undefined) return body.toString('base64');
  return kind === 'json' ? parsed(text) : text;
}

function parsed(text: string): unknown {
  if (exceedsDepth(text, MAX_ANSWER_DEPTH)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes without a character at their end that is cut. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    // A byte that continues a character.
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
