import { Agent } from 'undici';
import { demandFirstOperation, isInTransaction, noteCall } from '../../db/transaction-context.js';
import { parseAddress, withoutBrackets } from './addresses.js';
import { limitCall, lookUpInUnit, untilAborted } from './call-limits.js';
import { ByteRates, RECEIVED_PER_SECOND } from '../../admission/byte-rates.js';
import { FairShare } from '../../admission/fair-share.js';
import { exchange, exchangeStreamed, type StreamedResponse, type Way } from './exchange.js';
import { addressesOf, guardedAddresses, guardedConnector } from './guarded-connector.js';
import { type OutboundError, toOutboundError } from './outbound-error.js';
import { outboundFetch } from './outbound-fetch.js';
import { requestHeaders, type OutboundRequest, type StreamedRequest, type Trust } from './outbound-request.js';
import { type OutboundResponse } from './outbound-response.js';
import { tracedCall } from '../../tracing/outbound-call.js';
import { ANSWER_SPACE } from './read-answer.js';
import { type Resolve, DnsResolver } from './dns-resolver.js';

/** The only HTTP client of the process. */
export interface Outbound {
  /**
   * @throws OutboundError without a complete response, and a plain Error (a programming error) while a transaction is
   * open.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * As `request`, but returns before the body, which must be read or closed.
   */
  stream(request: StreamedRequest): Promise<StreamedResponse>;
  fetch(timeoutMs: number, maxBytes: number, trust: Trust, account?: string): typeof fetch;
  /**
   * Resolves and checks the host of a user's URL without connecting, within 5 s, and in an open unit of work as
   * `lookUpInUnit` does. @throws OutboundError, `network` for an unknown name.
   */
  checkAddress(url: string): Promise<void>;
  /** Waits for the running calls, each of which has a deadline. */
  close(): Promise<void>;
}

/** How outbound calls behave for users and for the operator. */
export interface OutboundOptions {
  /** True allows users' URLs to point to private networks. */
  allowPrivateNetwork: boolean;
  /** True allows users' URLs to point to the machine of the service, but to no other private address. */
  allowLoopback?: boolean;
  userAgent: string;
  resolve?: Resolve;
  /** The memory for long responses that are being read, in bytes. */
  answerSpace?: number;
  /** What accounts receive. */
  rates?: ByteRates;
}

// Servers may request a longer keep-alive; undici's own bound would be ten minutes.
const AGENT_OPTIONS: Agent.Options = { headersTimeout: 0, bodyTimeout: 0, keepAliveMaxTimeout: 30_000 };

/** Two pools of connections: a connection opened for an operator's URL never serves a user's URL unchecked. */
export function createOutbound({
  allowPrivateNetwork,
  allowLoopback = false,
  userAgent,
  resolve,
  answerSpace = ANSWER_SPACE,
  rates = new ByteRates(RECEIVED_PER_SECOND),
}: OutboundOptions): Outbound {
  const names = new DnsResolver();
  const ask = resolve ?? names.resolve;
  const forUsers = (hostname: string) =>
    allowPrivateNetwork ? addressesOf(hostname, ask, 'local') : guardedAddresses(hostname, ask, allowLoopback);
  const forOperator = (hostname: string) => addressesOf(hostname, ask, 'system');
  const agents: Record<Trust, Agent> = {
    operator: new Agent({ ...AGENT_OPTIONS, connect: guardedConnector(forOperator, 'operator') }),
    user: new Agent({ ...AGENT_OPTIONS, connect: guardedConnector(forUsers, 'user') }),
  };
  const space = new FairShare(answerSpace);
  const underWay = new Set<Promise<unknown>>();
  const request = async (asked: OutboundRequest) => {
    demandNoTransaction();
    const call = send({ agent: agents[asked.trust], space, rates }, asked, userAgent);
    underWay.add(call);
    return call.finally(() => underWay.delete(call));
  };
  const stream = async (asked: StreamedRequest) => {
    demandNoTransaction();
    const call = sendStreamed({ agent: agents[asked.trust], space, rates }, asked, userAgent);
    const whole = call.then(({ ended }) => ended);
    underWay.add(whole);
    void whole.catch(() => undefined).finally(() => underWay.delete(whole));
    return call;
  };
  return {
    request,
    stream,
    fetch: (timeoutMs, maxBytes, trust, account) =>
      outboundFetch(request, { timeoutMs, maxBytes, trust, ...(account !== undefined && { account }) }),
    checkAddress: (address) => lookUpInUnit(() => check(address, forUsers)),
    close: async () => {
      await Promise.allSettled(underWay);
      names.close();
      // Not close(), which would wait for connections still being opened for calls that have ended.
      await Promise.all([agents.operator.destroy(), agents.user.destroy()]);
    },
  };
}

async function check(address: string, admit: (hostname: string) => Promise<unknown>): Promise<void> {
  const { hostname } = parseAddress(address);
  try {
    await admit(withoutBrackets(hostname));
  } catch (error) {
    throw toOutboundError(error, hostname);
  }
}

async function send(way: Way, asked: OutboundRequest, userAgent: string): Promise<OutboundResponse> {
  const url = parseAddress(asked.url);
  const headers = requestHeaders(asked.headers ?? {}, userAgent);
  const { signal, release } = limitCall(url.host, asked.timeoutMs, asked.signal);
  try {
    // With a signal that is already aborted undici would still connect.
    signal.throwIfAborted();
    // While undici connects it ignores the signal.
    const exchanged = tracedCall({ url, method: asked.method }, headers, (sent) =>
      untilAborted(exchange(way, asked, url, sent, signal), signal),
    );
    return await exchanged;
  } catch (error) {
    throw signal.aborted ? (signal.reason as OutboundError) : toOutboundError(error, url.host);
  } finally {
    release();
  }
}

/** As `send`, until the headers of the response. The limits hold until its body has ended. */
async function sendStreamed(way: Way, asked: StreamedRequest, userAgent: string): Promise<StreamedResponse> {
  const url = parseAddress(asked.url);
  const { signal, release } = limitCall(url.host, asked.timeoutMs, asked.signal);
  const failure = (error: unknown) =>
    signal.aborted ? (signal.reason as OutboundError) : toOutboundError(error, url.host);
  const headers: Record<string, string | string[]> = { 'user-agent': userAgent, ...asked.headers };
  try {
    signal.throwIfAborted();
    const { body, close, ...begun } = await tracedCall({ url, method: asked.method }, headers, (sent) =>
      untilAborted(exchangeStreamed(way, { ...asked, headers: sent }, url, signal), signal),
    );
    const ended = Promise.withResolvers<void>();
    const end = () => {
      release();
      ended.resolve();
    };
    return {
      ...begun,
      body: ending(body, failure, end),
      ended: ended.promise,
      close: () => {
        close();
        end();
      },
    };
  } catch (error) {
    release();
    throw failure(error);
  }
}

/** A body that reports its end, and fails with OutboundErrors only. */
async function* ending(
  body: AsyncGenerator<Buffer>,
  failure: (error: unknown) => OutboundError,
  end: () => void,
): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw failure(error);
  } finally {
    end();
  }
}

/**
 * No connection may be held during a call, and a unit of work remembers that it made one. @throws AppError `conflict` for an operation that follows another in one unit
 * of work.
 */
export function demandNoTransaction(): void {
  demandFirstOperation('This operation calls another service');
  if (isInTransaction()) throw new Error('An outbound call was made while a database transaction is open.');
  noteCall();
}
