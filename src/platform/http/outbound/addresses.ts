import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundError } from './outbound-error.js';

/** The public IPv6 addresses (RFC 4291, 2.4). All other ranges are special, embed IPv4 addresses or are unassigned. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');
/** Ranges among them that embed an IPv4 address, which a gateway may map to a private one: always refused. */
const EMBEDDING = [
  '2001::/32', // Teredo (RFC 4380)
  '2002::/16', // 6to4 (RFC 3056)
].map((range) => ipaddr.IPv6.parseCIDR(range));

/**
 * Addresses that look public but lead to the host or the inner services of a cloud. The metadata addresses of other
 * clouds lie in special ranges: link-local, shared (Alibaba, 100.100.100.200), reserved (Oracle, 192.0.0.192) or unique
 * local IPv6.
 */
const CLOUD_INSIDE = [
  '168.63.129.16/32', // Azure's host: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '161.26.0.0/16', // IBM Cloud's infrastructure services: https://cloud.ibm.com/docs/infrastructure-hub?topic=infrastructure-hub-ibm-cloud-ip-ranges
  '166.8.0.0/14', // IBM Cloud's private endpoints of its services
].map((range) => ipaddr.IPv4.parseCIDR(range));

// Not ipaddr.js, which reads `::127.0.0.1` as IPv4-mapped.
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** True for an IP address of the public internet; false for special ranges (RFC 6890) and for invalid addresses. */
export function isPublicAddress(ip: string): boolean {
  // ipaddr.js alone would accept `1.2.3` too.
  if (isIP(ip) === 0) return false;
  // `process` looks through IPv4-mapped addresses.
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL)) return false;
  if (address instanceof ipaddr.IPv6 && EMBEDDING.some((range) => address.match(range))) return false;
  if (address instanceof ipaddr.IPv4 && CLOUD_INSIDE.some((range) => address.match(range))) return false;
  return address.range() === 'unicast';
}

/** `localhost` and its subdomains (RFC 6761, 6.3): never looked up in DNS, whose answer could differ. */
export function isLocalName(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(hostname);
}

/** True for 127.0.0.0/8 and ::1, IPv4-mapped ones included, and for names of `isLocalName`; nothing is looked up. */
export function isLoopback(hostname: string): boolean {
  const bare = withoutBrackets(hostname);
  const family = isIP(bare);
  return family === 0 ? isLocalName(bare) : LOOPBACK.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}

/** A host without the brackets in which `URL` keeps an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The longest authority of a URL, in characters. A name in DNS has at most 253 (RFC 1035, 2.3.4). */
export const MAX_AUTHORITY = 512;
/** The authority as the WHATWG parser finds it: it takes `\` for `/`, any number of them, and leaves out tabs and line breaks. */
const AUTHORITY = /^[^:]*:[\\/\t\n\r]*([^\\/?#]*)/;

/**
 * Parses an absolute URL that a caller wrote; undefined if it is not valid. The time of the parser grows with the square
 * of a host's length when its characters are not ASCII, so a longer authority than `MAX_AUTHORITY` is not valid.
 */
export function parseUrl(address: string): URL | undefined {
  const authority = AUTHORITY.exec(address)?.[1] ?? '';
  return authority.length > MAX_AUTHORITY ? undefined : (URL.parse(address) ?? undefined);
}

/**
 * Parses an http or https URL without userinfo, normalised by the WHATWG rules. @throws OutboundError `invalid_url`.
 */
export function parseAddress(address: string): URL {
  // The messages do not contain the URL: its query may hold a key.
  const url = parseUrl(address);
  if (url === undefined) throw new OutboundError('invalid_url', 'The address is not a valid URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError('invalid_url', 'The address must start with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('invalid_url', 'The address must not contain a user name or password.');
  return url;
}
