import { type Readable } from 'node:stream';
import { type Agent, type Dispatcher } from 'undici';
import { type ByteRates } from '../../admission/byte-rates.js';
import { type FairShare } from '../../admission/fair-share.js';
import { limitChunks } from './limits/chunk-limit.js';
import { OutboundError } from './outbound-error.js';
import { type OutboundRequest, type StreamedRequest } from './outbound-request.js';
import { type HeaderFields, type OutboundResponse } from './outbound-response.js';
import { readAnswer } from './read-answer.js';
import { overWire, Wire } from './limits/wire-limit.js';

/** The connections of a call, the memory for its response, and the rates of accounts. */
export interface Way {
  agent: Agent;
  space: FairShare;
  rates: ByteRates;
}

/** Informational responses (1xx) to one request: a server can send 600,000 of them in the bytes of one call. */
export const MAX_INTERIM = 100;

/** A request ready to be sent. */
interface Prepared {
  origin: string;
  path: string;
  host: string;
  headers: Record<string, string | string[]>;
}

/** A response whose headers have arrived. */
interface Begun {
  status: number;
  fields: HeaderFields;
  stream: Readable;
  /** Waits until the account may receive more; undefined if it may now. */
  turn: () => Promise<void> | undefined;
  /** Counts bytes that the account has received. */
  count: (bytes: number) => void;
}

/** Sends a request and reads the whole response. */
export async function exchange(
  way: Way,
  asked: OutboundRequest,
  { origin, pathname, search, host }: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { turn, count, ...beginning } = await begin(
    way,
    asked,
    { origin, path: pathname + search, host, headers },
    signal,
  );
  return readAnswer({ host, ...beginning }, asked, { space: way.space, turn, unpacked: count }, signal);
}

/** A response whose body is read as it comes: at most `maxBytes`. */
export interface StreamedResponse {
  status: number;
  fields: HeaderFields;
  /** To be read once. Fails with an OutboundError; the connection is closed if it is not read to its end. */
  body: AsyncGenerator<Buffer>;
  /** Resolves once the body has ended in any way. */
  ended: Promise<void>;
  /** Ends a response whose body is not read at all. */
  close(): void;
}

/** Sends a request, and returns its response before the body. */
export async function exchangeStreamed(
  way: Way,
  asked: StreamedRequest,
  { origin, host }: URL,
  signal: AbortSignal,
): Promise<Omit<StreamedResponse, 'ended'>> {
  const rest = asked.url.slice(origin.length);
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const { status, fields, stream, turn } = await begin(
    way,
    asked,
    { origin, path, host, headers: asked.headers },
    signal,
  );
  const close = () => void stream.on('error', () => undefined).destroy();
  return { status, fields, body: limited(stream, asked.maxBytes, host, turn), close };
}

async function begin(
  { agent, rates }: Way,
  { account, cut, method = 'GET', body }: Pick<OutboundRequest, 'account' | 'cut' | 'method'> & { body?: Body },
  { origin, path, host, headers }: Prepared,
  signal: AbortSignal,
): Promise<Begun> {
  const payer = account ?? host;
  const turn = () => rates.turn(payer, signal);
  const count = (bytes: number) => rates.spend(payer, bytes);
  await turn();
  let interim = 0;
  const options: Dispatcher.RequestOptions = {
    origin,
    path,
    method,
    headers,
    body: body ?? null,
    signal,
    // undici ends the call when this throws.
    onInfo: () => {
      interim += 1;
      if (interim > MAX_INTERIM) throw new OutboundError('too_large', `The response from ${host} does not begin.`);
    },
  };
  const wire = new Wire(payer, cut !== undefined, count, account);
  const { statusCode: status, headers: fields, body: stream } = await overWire(wire, () => agent.request(options));
  limitChunks(stream, host, count);
  return { status, fields, stream, turn, count };
}

type Body = string | Uint8Array | Readable | undefined;

/** Passes a body on while it is within its limit. What is not read stays unread: nothing is buffered here. */
async function* limited(
  stream: Readable,
  maxBytes: number,
  host: string,
  turn: () => Promise<void> | undefined,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes)
      throw new OutboundError('too_large', `The response from ${host} is larger than ${maxBytes} bytes.`);
    const pausing = turn();
    if (pausing !== undefined) await pausing;
    yield chunk;
  }
}
