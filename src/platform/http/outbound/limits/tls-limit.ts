import { constants } from 'node:crypto';
import { DEFAULT_CIPHERS, type TLSSocket } from 'node:tls';
import { OutboundError } from '../outbound-error.js';

/** What TLS computes for a server, it computes on the event loop, and before it knows whether the server is trusted. */
export const GUARDED_TLS = {
  // With DHE the server chooses the group (RFC 5246, 7.4.3): one handshake with 10,000 bits takes four seconds.
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  // A server may ask for new handshakes without end.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** Session tickets (RFC 8446, 4.6.1) of one connection: servers send one to four. */
export const MAX_TICKETS = 16;
/**
 * What an account is charged for more tickets, in bytes received. One read of the socket brings up to 2,700 of them, which
 * take 30 ms before the connection can be closed.
 */
export const CHARGE_FOR_TICKETS = 8 * 1_048_576;

/** Closes a connection whose server sends more than `MAX_TICKETS`; `charge` is called once, before. */
export function limitTickets(socket: TLSSocket, host: string, charge: () => void): void {
  let tickets = 0;
  socket.on('session', () => {
    tickets += 1;
    if (tickets !== MAX_TICKETS + 1) return;
    charge();
    socket.destroy(new OutboundError('too_large', `${host} sends TLS session tickets without end.`));
  });
}
