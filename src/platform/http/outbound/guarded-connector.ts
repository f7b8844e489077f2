import { type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { isLocalName, isLoopback, isPublicAddress } from './addresses.js';
import { limitCall, untilAborted } from './call-limits.js';
import { OutboundError } from './outbound-error.js';
import { type Trust } from './outbound-request.js';
import { type NameScope, type Resolve } from './dns-resolver.js';
import { GUARDED_TLS } from './limits/tls-limit.js';
import { MeasuredStream } from './limits/handshake-limit.js';
import { currentWire, limitWire } from './limits/wire-limit.js';

const RESOLVE_TIMEOUT_MS = 5_000;

/**
 * The addresses of a host; an IP address needs no lookup. @throws OutboundError `timeout` when a name takes over 5 s.
 */
export async function addressesOf(hostname: string, resolve: Resolve, scope: NameScope): Promise<LookupAddress[]> {
  const family = isIP(hostname);
  if (family !== 0) return [{ address: hostname, family }];
  const { signal, release } = limitCall(hostname, RESOLVE_TIMEOUT_MS, undefined);
  return untilAborted(resolve(hostname, scope), signal).finally(release);
}

/**
 * The addresses of a host, all of them public, or loopback if that is allowed. @throws OutboundError `blocked` when one
 * is not.
 */
export async function guardedAddresses(
  hostname: string,
  resolve: Resolve,
  allowLoopback: boolean,
): Promise<LookupAddress[]> {
  if (isLocalName(hostname) && !allowLoopback) throw blocked(hostname);
  const addresses = await addressesOf(hostname, resolve, 'public');
  const isAllowed = ({ address }: LookupAddress) => isPublicAddress(address) || (allowLoopback && isLoopback(address));
  // One private address is enough to refuse: the network decides which of several is used.
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw blocked(hostname);
  return addresses;
}

function blocked(hostname: string): OutboundError {
  const message = `${hostname} is in a private or reserved network. ALLOW_PRIVATE_NETWORK=true allows that.`;
  return new OutboundError('blocked', message);
}

/**
 * The connector of undici, which opens TLS over a measured connection for URLs of users: their servers may be hostile.
 */
function connectTo(addresses: LookupAddress[], trust: Trust): buildConnector.connector {
  const lookup = answering(addresses);
  const wire = currentWire();
  return (options, callback) => {
    if (options.protocol !== 'https:' || trust === 'operator') {
      return buildConnector({ ...GUARDED_TLS, lookup })(options, callback);
    }
    const port = options.port || '443';
    buildConnector({ lookup })({ ...options, protocol: 'http:', port }, (...made) => {
      if (made[0] !== null) return callback(...made);
      const stream = new MeasuredStream(made[1], options.hostname, wire);
      buildConnector(GUARDED_TLS)({ ...options, httpSocket: stream as unknown as Socket }, (...secured) => {
        stream.shaken();
        if (secured[0] === null) secured[1].once('close', () => stream.destroy());
        else stream.destroy();
        callback(...(stream.fault === undefined ? secured : ([stream.fault, null] as const)));
      });
    });
  };
}

/**
 * Connects only to the addresses that `admit` returns for a host. The name is looked up once, so it cannot be rebound
 * between check and use. A refused host gets no socket. TLS still verifies the name.
 */
export function guardedConnector(
  admit: (hostname: string) => Promise<LookupAddress[]>,
  trust: Trust,
): buildConnector.connector {
  return (options, callback) => {
    admit(options.hostname).then(
      (addresses) =>
        connectTo(addresses, trust)(options, (...made) => {
          if (made[0] === null) limitWire(made[1], options.hostname);
          callback(...made);
        }),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

function answering(addresses: LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all || first === undefined) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}
