import { Agent } from 'undici';
import { isInTransaction } from '../../db/transaction-context.js';
import { parseAddress } from './addresses.js';
import { limitCall, untilAborted } from './call-limits.js';
import { FairShare } from '../../admission/fair-share.js';
import { addressesOf, guardedConnector, publicAddresses } from './guarded-connector.js';
import { type OutboundError, toOutboundError } from './outbound-error.js';
import { outboundFetch } from './outbound-fetch.js';
import { requestHeaders, type OutboundRequest, type Trust } from './outbound-request.js';
import { type OutboundResponse } from './outbound-response.js';
import { ANSWER_SPACE, readAnswer } from './read-answer.js';
import { type Resolve, DnsResolver } from './dns-resolver.js';

/** The only way out of the process by HTTP. */
export interface Outbound {
  /** @throws OutboundError when there is no whole answer, and a plain Error (ours to fix) while a transaction is open. */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  fetch(timeoutMs: number, maxBytes: number, trust: Trust): typeof fetch;
  /** Resolves and checks a user's address without connecting, within 5 s. @throws OutboundError, `network` for an unknown name. */
  checkAddress(url: string): Promise<void>;
  /** Waits for the calls under way, each of which has its own end. */
  close(): Promise<void>;
}

export interface OutboundOptions {
  /** True lets users' addresses lead anywhere. */
  allowPrivateNetwork: boolean;
  userAgent: string;
  resolve?: Resolve;
  /** Bytes that long answers may hold together while they are read. */
  answerSpace?: number;
}

/** By which connections a call goes, and what its answer may hold. */
interface Way {
  agent: Agent;
  space: FairShare;
}

// Servers may ask for idle connections to be kept for longer; ten minutes would be undici's bound.
const AGENT_OPTIONS: Agent.Options = { headersTimeout: 0, bodyTimeout: 0, keepAliveMaxTimeout: 30_000 };

/** Two pools of connections, so that one opened for an operator's address never serves a user's unchecked. */
export function createOutbound({
  allowPrivateNetwork,
  userAgent,
  resolve,
  answerSpace = ANSWER_SPACE,
}: OutboundOptions): Outbound {
  const names = new DnsResolver();
  const ask = resolve ?? names.resolve;
  const forUsers = (hostname: string) =>
    allowPrivateNetwork ? addressesOf(hostname, ask, 'local') : publicAddresses(hostname, ask);
  const forOperator = (hostname: string) => addressesOf(hostname, ask, 'system');
  const agents: Record<Trust, Agent> = {
    operator: new Agent({ ...AGENT_OPTIONS, connect: guardedConnector(forOperator) }),
    user: new Agent({ ...AGENT_OPTIONS, connect: guardedConnector(forUsers) }),
  };
  const space = new FairShare(answerSpace);
  const underWay = new Set<Promise<unknown>>();
  const request = async (asked: OutboundRequest) => {
    if (isInTransaction()) throw new Error('An outbound call was made while a database transaction is open.');
    const call = send({ agent: agents[asked.trust], space }, asked, userAgent);
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
      // Not close(), which would wait for connections that are still being made for calls long ended.
      await Promise.all([agents.operator.destroy(), agents.user.destroy()]);
    },
  };
}

async function check(address: string, admit: (hostname: string) => Promise<unknown>): Promise<void> {
  const { hostname } = parseAddress(address);
  try {
    // URL keeps the brackets of IPv6.
    await admit(hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    throw toOutboundError(error, hostname);
  }
}

async function send(way: Way, asked: OutboundRequest, userAgent: string): Promise<OutboundResponse> {
  const url = parseAddress(asked.url);
  const headers = requestHeaders(asked.headers ?? {}, userAgent);
  const { signal, release } = limitCall(url.host, asked.timeoutMs, asked.signal);
  try {
    // A signal that is already aborted would still make undici connect.
    signal.throwIfAborted();
    // And while it connects, undici does not look at the signal.
    return await untilAborted(exchange(way, asked, url, headers, signal), signal);
  } catch (error) {
    throw signal.aborted ? (signal.reason as OutboundError) : toOutboundError(error, url.host);
  } finally {
    release();
  }
}

async function exchange(
  { agent, space }: Way,
  asked: OutboundRequest,
  { origin, pathname, search, host }: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { statusCode, ...answer } = await agent.request({
    origin,
    path: pathname + search,
    method: asked.method ?? 'GET',
    headers,
    body: asked.body ?? null,
    signal,
  });
  const beginning = { host, status: statusCode, headers: joinValues(answer.headers), stream: answer.body };
  return readAnswer(beginning, asked, space, signal);
}

function joinValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
