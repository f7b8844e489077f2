import { type Readable } from 'node:stream';
import { type FairShare } from '../../admission/fair-share.js';
import { type OutboundRequest } from './outbound-request.js';
import { type HeaderFields, joinValues, OutboundResponse } from './outbound-response.js';
import { decodeBody, decoded, isCompressed, readBeginning, readResponseBody } from './read-response-body.js';

/** The memory for all responses that a process is reading, in bytes, beyond the beginning of each. */
export const ANSWER_SPACE = 128 * 1_048_576;
/** The bytes of a response that need no reserved space: most responses are shorter, and never wait. */
const FREE_BYTES = 131_072;

/** A response whose headers have arrived. */
export interface BeginningAnswer {
  host: string;
  status: number;
  fields: HeaderFields;
  stream: Readable;
}

/** What a long response waits for. */
export interface AnswerRoom {
  /** The memory of all responses. */
  space: FairShare;
  /** Waits until the account may receive more; undefined if it may now. */
  turn: () => Promise<void> | undefined;
  /** Takes the bytes that came out of a compressed body, beside those of the wire. */
  unpacked: (bytes: number) => void;
}

/**
 * Reads the body. A long one waits for its maximum space before it is read further, so that every started response can
 * finish. @throws OutboundError as `readResponseBody` and `decodeBody` do; the signal's reason.
 */
export async function readAnswer(
  { host, status, fields, stream }: BeginningAnswer,
  { maxBytes, cut, account = '' }: OutboundRequest,
  { space, turn, unpacked }: AnswerRoom,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const headers = joinValues(fields);
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const isPacked = cut !== 'raw' && isCompressed(coding);
  const most = Math.min(lengthOf(headers) ?? maxBytes, maxBytes) + (isPacked ? maxBytes : 0);
  let giveBack: (() => void) | undefined;
  const room = (size: number): Promise<void> | undefined => {
    if (size <= FREE_BYTES && !isPacked) return undefined;
    if (giveBack !== undefined) return turn();
    return space.take(account, most, signal).then((given) => void (giveBack = given));
  };
  try {
    if (cut !== undefined) {
      const source = isPacked ? decoded(stream, coding, host) : stream;
      const { body, isCut } = await readBeginning(source, maxBytes, room);
      if (isPacked) unpacked(body.length);
      return new OutboundResponse(host, status, fields, body, isCut);
    }
    const raw = await readResponseBody(stream, maxBytes, host, room);
    const body = await decodeBody(raw, coding, maxBytes, host);
    if (isPacked) unpacked(body.length);
    return new OutboundResponse(host, status, fields, body);
  } finally {
    giveBack?.();
  }
}

function lengthOf({ 'content-length': length = '' }: Record<string, string>): number | undefined {
  return /^\d+$/.test(length) ? Number(length) : undefined;
}
