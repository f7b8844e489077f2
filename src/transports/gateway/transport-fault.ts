import { type IncomingMessage } from 'node:http';
import { proxyPathOf } from '../proxy/proxy-path.js';

/** host [":" port] of RFC 3986, 3.2.2; empty where the target has no authority. */
const HOST = /^(\[[\da-f:.]{2,45}\]|[\w.~!$&'()*+,;=%-]{0,255})(:\d{0,5})?$/i;

/**
 * Why a request is refused with 400 although Node's parser accepts it: the next server on the way might read it
 * differently (RFC 9112: several hosts or a malformed one, 3.2; a transfer coding that we do not decode, 6.1).
 */
export function transportFault({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return 'several hosts';
  if (!HOST.test(headers.host ?? '')) return 'ill-formed host';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return 'unknown transfer coding';
  return undefined;
}

/**
 * Whether a request asks for a WebSocket, and not an application, whose proxy refuses it. An upgrade to any other protocol
 * is ignored, as RFC 9110, 7.8 allows.
 */
export function wantsWebSocket(request: IncomingMessage): boolean {
  return (
    request.headers.upgrade?.toLowerCase() === 'websocket' &&
    transportFault(request) === undefined &&
    !isProxied(request)
  );
}

function isProxied({ url = '/' }: IncomingMessage): boolean {
  return proxyPathOf(url) !== undefined;
}
