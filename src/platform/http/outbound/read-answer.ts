import { type Readable } from 'node:stream';
import { type FairShare } from '../../admission/fair-share.js';
import { type OutboundRequest } from './outbound-request.js';
import { OutboundResponse } from './outbound-response.js';
import { decodeBody, isCompressed, readBeginning, readResponseBody } from './read-response-body.js';

/** The memory for all responses that a process is reading, in bytes, beyond the beginning of each. */
export const ANSWER_SPACE = 128 * 1_048_576;
/** The bytes of a response that need no reserved space: most responses are shorter, and never wait. */
const FREE_BYTES = 131_072;

/** A response whose headers have arrived. */
export interface BeginningAnswer {
  host: string;
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  stream: Readable;
}

/**
 * Reads the body. A long one waits for its maximum space before it is read further, so that every started response can
 * finish. @throws OutboundError as `readResponseBody` and `decodeBody` do; the signal's reason.
 */
export async function readAnswer(
  { host, status, headers, stream }: BeginningAnswer,
  { maxBytes, cut = false, account = '' }: OutboundRequest,
  space: FairShare,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  if (cut) return new OutboundResponse(host, status, headers, await readBeginning(stream, maxBytes));
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const isPacked = isCompressed(coding);
  const most = Math.min(lengthOf(headers) ?? maxBytes, maxBytes) + (isPacked ? maxBytes : 0);
  let giveBack: (() => void) | undefined;
  const needSpace = (size: number): Promise<void> | undefined => {
    if (giveBack !== undefined || (size <= FREE_BYTES && !isPacked)) return undefined;
    return space.take(account, most, signal).then((given) => void (giveBack = given));
  };
  try {
    const raw = await readResponseBody(stream, maxBytes, host, needSpace);
    return new OutboundResponse(host, status, headers, await decodeBody(raw, coding, maxBytes, host));
  } finally {
    giveBack?.();
  }
}

function lengthOf({ 'content-length': length = '' }: Record<string, string>): number | undefined {
  return /^\d+$/.test(length) ? Number(length) : undefined;
}
