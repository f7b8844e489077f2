import { type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

/** The addresses of each name of a hosts(5) file, names in lower case. */
export function parseHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...(hosts.get(key) ?? []), { address, family }]);
    }
  }
  return hosts;
}

/** The settings of resolv.conf(5) for names that are not fully qualified. */
export interface Search {
  domains: string[];
  /** A name with at least this many dots is tried unchanged first. */
  ndots: number;
}

/** The last `search` or `domain` line and `options ndots:n`, 1 unless given. */
export function parseSearch(text: string): Search {
  const search: Search = { domains: [], ndots: 1 };
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search' || keyword === 'domain') search.domains = words.filter((word) => word !== '.');
    const ndots = keyword === 'options' ? /(?:^|\s)ndots:(\d+)/.exec(words.join(' '))?.[1] : undefined;
    if (ndots !== undefined) search.ndots = Math.min(Number(ndots), 15);
  }
  return search;
}

/** The names to try in DNS, in order; a name that ends with a dot is fully qualified. */
export function candidatesFor(hostname: string, { domains, ndots }: Search): string[] {
  if (hostname.endsWith('.')) return [hostname];
  const searched = domains.map((domain) => `${hostname}.${domain}`);
  return hostname.split('.').length > ndots ? [hostname, ...searched] : [...searched, hostname];
}
