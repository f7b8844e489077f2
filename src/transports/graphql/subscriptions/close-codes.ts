import { CloseCode } from 'graphql-ws';

/** Why we close a socket, by the close code that the client sees. */
export const CLOSE = {
  goingAway: 1001,
  tooLarge: 1009,
  unavailable: 1011,
  slowReader: 1013,
  badMessage: CloseCode.BadRequest,
  unauthorized: CloseCode.Unauthorized,
  revoked: CloseCode.Forbidden,
  noSubprotocol: CloseCode.SubprotocolNotAcceptable,
  noInit: CloseCode.ConnectionInitialisationTimeout,
  sameId: CloseCode.SubscriberAlreadyExists,
  tooMany: CloseCode.TooManyInitialisationRequests,
} as const;

/** What each means, and what a client does then. */
export const CLOSE_MEANINGS: Readonly<Record<keyof typeof CLOSE, readonly [meaning: string, then: string]>> = {
  goingAway: [
    'The service stops, e.g. for a restart.',
    'Connect again, at once and then ever more slowly, and resume.',
  ],
  tooLarge: ['A message was larger than a message may be.', 'Mend the client.'],
  unavailable: ['The service could not ask its database, or failed.', 'Connect again after a moment, and resume.'],
  slowReader: [
    'The client did not read what it was sent.',
    'Read faster or ask for less; then connect again, and resume.',
  ],
  badMessage: ['A message was none of the protocol.', 'Mend the client.'],
  unauthorized: [
    'There was no key, or a wrong one, or a subscription came before `connection_ack`.',
    'Send the key as `authorization` in the payload of `connection_init`. Do not try again with the same one.',
  ],
  revoked: ['The key was revoked, or the session is over.', 'Ask for another key. Do not try again.'],
  noSubprotocol: ['The sub-protocol `graphql-transport-ws` was not asked for.', 'Mend the client.'],
  noInit: ['No `connection_init` came in time.', 'Send it as the first message; connect again.'],
  sameId: ['Two subscriptions of the socket had the same id.', 'Mend the client.'],
  tooMany: ['A second `connection_init`, or the key has too many sockets.', 'Close sockets, then connect again.'],
};
