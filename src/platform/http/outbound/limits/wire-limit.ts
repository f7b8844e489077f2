import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type DiagnosticsChannel } from 'undici';
import { CHARGE_FOR_TICKETS, limitTickets } from './tls-limit.js';
import { OutboundError } from '../outbound-error.js';

/** The head and what comes before it: informational responses, empty lines, the reason phrase. Each head has 16 kB. */
export const BEFORE_BODY_BYTES = 262_144;
/**
 * What comes around a body beyond as many bytes as the body has: the head, the framing of chunks, trailers. Includes
 * what was received and not parsed yet.
 */
export const AROUND_BODY_BYTES = 1_048_576;
/** The same for a response of which only the beginning is read, however long its body is. */
const AROUND_BEGINNING_BYTES = 262_144;

/** What a call receives over its connection, and what of it is its body. */
export class Wire {
  private received = 0;
  private body = 0;
  private hasBegun = false;

  constructor(
    /** Who pays for what arrives: an account, or the host if there is none. */
    readonly payer: string,
    /** Only the beginning of the response is read. */
    private readonly isCut: boolean,
    /** Takes the bytes that have just arrived. */
    private readonly onBytes: (bytes: number) => void,
    /** The account of the call. */
    readonly account?: string,
  ) {}

  /** Counts bytes that have arrived. @returns false when too many of them do not belong to a body. */
  arrive(bytes: number): boolean {
    this.received += bytes;
    this.onBytes(bytes);
    return this.received <= this.limit;
  }

  /** Counts what costs as much as so many bytes. */
  charge(bytes: number): void {
    this.onBytes(bytes);
  }

  /** The head has been read. */
  begin(): void {
    this.hasBegun = true;
  }

  /** Bytes of the body have been read. */
  deliver(bytes: number): void {
    this.body += bytes;
  }

  private get limit(): number {
    if (!this.hasBegun) return BEFORE_BODY_BYTES;
    return this.isCut ? this.body + AROUND_BEGINNING_BYTES : 2 * this.body + AROUND_BODY_BYTES;
  }
}

/** The calls of undici's requests and of the sockets that carry them now. */
const ofRequest = new WeakMap<object, Wire>();
const ofSocket = new WeakMap<Socket, Wire>();
/** The call for which a request is created, or a connection opened. */
const wires = new AsyncLocalStorage<Wire>();

function on(name: string, act: (message: never) => void): void {
  channel(name).subscribe((message) => act(message as never));
}

// undici has no other public way from a request to its socket. `fetch` of Node.js uses the same channels.
on('undici:request:create', ({ request }: DiagnosticsChannel.RequestCreateMessage) => {
  const wire = wires.getStore();
  if (wire !== undefined) ofRequest.set(request, wire);
});
on('undici:client:sendHeaders', ({ request, socket }: DiagnosticsChannel.ClientSendHeadersMessage) => {
  const wire = ofRequest.get(request);
  if (wire !== undefined) ofSocket.set(socket, wire);
});
on('undici:request:headers', ({ request, response }: DiagnosticsChannel.RequestHeadersMessage) => {
  if (response.statusCode >= 200) ofRequest.get(request)?.begin();
});
on('undici:request:bodyChunkReceived', ({ request, chunk }: DiagnosticsChannel.RequestBodyChunkReceivedMessage) => {
  ofRequest.get(request)?.deliver(chunk.length);
});

/** Counts what the request receives that `send` creates. */
export function overWire<Response>(wire: Wire, send: () => Response): Response {
  return wires.run(wire, send);
}

/** The call that a connection is opened for. */
export function currentWire(): Wire | undefined {
  return wires.getStore();
}

/**
 * Closes a connection that receives too many bytes beside the body of its call. The limit of the body does not count
 * the data that a server can send endlessly around it, e.g. chunk extensions.
 */
export function limitWire(socket: Socket, host: string): void {
  if (socket instanceof TLSSocket) limitTickets(socket, host, () => ofSocket.get(socket)?.charge(CHARGE_FOR_TICKETS));
  const push = socket.push.bind(socket);
  // A `data` listener would consume the bytes, and undici's `readable` listener hides those of several reads.
  socket.push = (bytes: Buffer | null, encoding) => {
    if (bytes === null || ofSocket.get(socket)?.arrive(bytes.length) !== false) return push(bytes, encoding);
    socket.destroy(new OutboundError('too_large', `The response from ${host} does not end.`));
    return false;
  };
}
