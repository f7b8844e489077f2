import { exceedsDepth } from '../../json/json-depth.js';
import { parseAddress } from './addresses.js';
import { OutboundError } from './outbound-error.js';
import { type OutboundLimits, type OutboundRequest } from './outbound-request.js';
import { MAX_ANSWER_DEPTH, type OutboundResponse } from './outbound-response.js';

// Statuses whose Response must not have a body (https://fetch.spec.whatwg.org/#null-body-status).
const BODILESS = new Set([204, 205, 304]);

/**
 * `fetch` over an Outbound, for libraries that accept one (oauth4webapi's `customFetch`). Redirects are returned, not
 * followed. Rejects with OutboundError, also with `invalid_answer` for a response nested deeper than 200 levels.
 */
export function outboundFetch(
  request: (asked: OutboundRequest) => Promise<OutboundResponse>,
  limits: OutboundLimits & Pick<OutboundRequest, 'account'>,
): typeof fetch {
  return async (input, init) => {
    // Before `new Request`, whose own error would quote the whole URL.
    parseAddress(input instanceof Request ? input.url : String(input));
    const asked = new Request(input, init);
    const body = Buffer.from(await asked.arrayBuffer());
    const answer = await request({
      ...limits,
      url: asked.url,
      method: asked.method,
      headers: Object.fromEntries(asked.headers),
      ...(body.length > 0 && { body }),
      signal: asked.signal,
    });
    return toResponse(answer);
  };
}

function toResponse({ host, status, headers, body }: OutboundResponse): Response {
  if (exceedsDepth(body.toString('latin1'), MAX_ANSWER_DEPTH))
    throw new OutboundError('invalid_answer', `The response from ${host} is nested too deeply.`);
  try {
    return new Response(BODILESS.has(status) ? null : new Uint8Array(body), { status, headers });
  } catch {
    throw new OutboundError('invalid_answer', `The response from ${host} is not valid HTTP.`);
  }
}
