import { type IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

/**
 * The client's IP address: the remote address of the connection, or the one that the outermost of `hops` trusted
 * proxies saw (`X-Forwarded-For`, counted from its end, because earlier entries come from the client).
 * An IPv4 address is written as one, also if the socket listens for both kinds.
 */
export function clientAddress({ headers, socket }: IncomingMessage, hops: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const seen = hops > 0 ? forwarded.at(-hops)?.trim() : undefined;
  const address = seen !== undefined && isIP(seen) > 0 ? seen : (socket.remoteAddress ?? 'unknown');
  return address.replace(/^::ffff:(?=\d+(?:\.\d+){3}$)/i, '');
}

/**
 * The network that belongs to one client: of an IPv6 address the first 64 bits, because a client chooses the rest
 * freely (RFC 4291, 2.5.1); an IPv4 address whole, also when it is written as IPv6 (RFC 4291, 2.5.5.2; RFC 6052, 2.1).
 * `bits`: 48 for the site of an IPv6 address, which may have 65,536 networks of 64 bits (RFC 6177).
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (!isIPv6(address) || /^(::ffff:|64:ff9b::)/i.test(address)) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2);
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  return `${groups
    .slice(0, bits / 16)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${bits}`;
}
