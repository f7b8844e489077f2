import { Agent, type Dispatcher } from 'undici';
import { isBetweenOperations, isInTransaction } from '../../db/transaction-context.js';
import { AppError } from '../../errors.js';
import { parseAddress, withoutBrackets } from './addresses.js';
import { limitCall, untilAborted } from './call-limits.js';
import { ByteRates } from '../../admission/byte-rates.js';
import { FairShare } from '../../admission/fair-share.js';
import { limitChunks } from './chunk-limit.js';
import { addressesOf, guardedAddresses, guardedConnector } from './guarded-connector.js';
import { OutboundError, toOutboundError } from './outbound-error.js';
import { outboundFetch } from './outbound-fetch.js';
import { requestHeaders, type OutboundRequest, type Trust } from './outbound-request.js';
import { type OutboundResponse } from './outbound-response.js';
import { ANSWER_SPACE, readAnswer } from './read-answer.js';
import { type Resolve, DnsResolver } from './dns-resolver.js';
import { overWire, Wire } from './wire-limit.js';

/** The only HTTP client of the process. */
export interface Outbound {
  /**
   * @throws OutboundError without a complete response, and a plain Error (a programming error) while a transaction is
   * open.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  fetch(timeoutMs: number, maxBytes: number, trust: Trust): typeof fetch;
  /**
   * Resolves and checks the host of a user's URL without connecting, within 5 s. @throws OutboundError, `network` for
   * an unknown name.
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

/** The connections of a call, the memory for its response, and the rates of accounts. */
interface Way {
  agent: Agent;
  space: FairShare;
  rates: ByteRates;
}

/**
 * The bytes that the calls of an account receive a second in a process: each MiB takes it up to five milliseconds,
 * whatever is in it.
 */
export const RECEIVED_PER_SECOND = 32 * 1_048_576;

/** Informational responses (1xx) to one request: a server can send 600,000 of them in the bytes of one call. */
export const MAX_INTERIM = 100;

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
    operator: new Agent({ ...AGENT_OPTIONS, connect: guardedConnector(forOperator) }),
    user: new Agent({ ...AGENT_OPTIONS, connect: guardedConnector(forUsers) }),
  };
  const space = new FairShare(answerSpace);
  const underWay = new Set<Promise<unknown>>();
  const request = async (asked: OutboundRequest) => {
    demandNoTransaction();
    const call = send({ agent: agents[asked.trust], space, rates }, asked, userAgent);
    underWay.add(call);
    return call.finally(() => underWay.delete(call));
  };
  return {
    request,
    fetch: (timeoutMs, maxBytes, trust) => outboundFetch(request, { timeoutMs, maxBytes, trust }),
    checkAddress: (address) => check(address, forUsers),
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
    return await untilAborted(exchange(way, asked, url, headers, signal), signal);
  } catch (error) {
    throw signal.aborted ? (signal.reason as OutboundError) : toOutboundError(error, url.host);
  } finally {
    release();
  }
}

async function exchange(
  { agent, space, rates }: Way,
  asked: OutboundRequest,
  { origin, pathname, search, host }: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { account } = asked;
  const turn = () => (account === undefined ? undefined : rates.turn(account, signal));
  const count = (bytes: number) => account !== undefined && rates.spend(account, bytes);
  await turn();
  let interim = 0;
  const options: Dispatcher.RequestOptions = {
    origin,
    path: pathname + search,
    method: asked.method ?? 'GET',
    headers,
    body: asked.body ?? null,
    signal,
    // undici ends the call when this throws.
    onInfo: () => {
      interim += 1;
      if (interim > MAX_INTERIM) throw new OutboundError('too_large', `The response from ${host} does not begin.`);
    },
  };
  const { statusCode, ...answer } = await overWire(new Wire(asked.cut ?? false, count), () => agent.request(options));
  limitChunks(answer.body, host);
  const beginning = { host, status: statusCode, headers: joinValues(answer.headers), stream: answer.body };
  return readAnswer(beginning, asked, { space, turn }, signal);
}

function joinValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/**
 * No connection may be held during a call. @throws AppError `conflict` for an operation that follows another in one unit
 * of work.
 */
function demandNoTransaction(): void {
  if (isBetweenOperations())
    throw new AppError(
      'conflict',
      'This operation calls another service: with an Idempotency-Key it must be the first of its document.',
    );
  if (isInTransaction()) throw new Error('An outbound call was made while a database transaction is open.');
}
