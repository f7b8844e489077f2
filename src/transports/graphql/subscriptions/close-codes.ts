import { CloseCode } from 'graphql-ws';

/** The close codes of sockets. */
export const CLOSE = {
  goingAway: 1001,
  tooLarge: 1009,
  // Not 1011: graphql-ws never retries after it.
  tryAgain: 1013,
  badMessage: CloseCode.BadRequest,
  unauthorized: CloseCode.Unauthorized,
  revoked: CloseCode.Forbidden,
  noSubprotocol: CloseCode.SubprotocolNotAcceptable,
  noInit: CloseCode.ConnectionInitialisationTimeout,
  sameId: CloseCode.SubscriberAlreadyExists,
  tooMany: CloseCode.TooManyInitialisationRequests,
} as const;

/** The meaning of each close code, and the reaction of a client. */
export const CLOSE_MEANINGS: Readonly<Record<keyof typeof CLOSE, readonly [meaning: string, then: string]>> = {
  goingAway: ['The service stops, e.g. for a restart.', 'Reconnect at once, then with growing delays, and resume.'],
  tooLarge: ['A message exceeded its limit.', 'Fix the client.'],
  tryAgain: [
    'The service could not reach its database, or failed; or the client did not read its messages in time (`Too slow a reader`).',
    'Reconnect after a moment, and resume. A slow reader reads faster or requests less.',
  ],
  badMessage: ['A message violated the protocol.', 'Fix the client.'],
  unauthorized: [
    'The key was missing, as the reason says then, or wrong; or a subscription came before `connection_ack`.',
    'Send the key as `authorization`, in any case, in the payload of `connection_init`. Do not retry with the same key.',
  ],
  revoked: [
    'The key was revoked (`Revoked`), or the time of the key or session is over (`Expired`).',
    'Get another key. A client that retries is refused with 4401, which ends it.',
  ],
  noSubprotocol: ['The client did not request the sub-protocol `graphql-transport-ws`.', 'Fix the client.'],
  noInit: ['No `connection_init` came in time.', 'Send it as the first message; reconnect.'],
  sameId: ['Two subscriptions of the socket had the same id.', 'Fix the client.'],
  tooMany: [
    'A second `connection_init`, or the key or its account has too many sockets.',
    'Close sockets, then reconnect. It ends a client of graphql-ws, as 4401 does.',
  ],
};

/** The most bytes of a reason: a close frame has 125, of which the code takes two (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 123;

/** The characters of a reason that fit into a close frame. `ws` throws for a longer one, and its socket stays open. */
export function closeReason(text: string): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(MAX_REASON_BYTES)).read);
}
