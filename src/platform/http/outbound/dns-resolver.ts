import { lookup, type LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { isLocalName } from './addresses.js';
import { askDns, isNoSuchName } from './ask-dns.js';
import { untilAborted } from './call-limits.js';
import { FairShare } from '../../admission/fair-share.js';
import { OutboundError } from './outbound-error.js';
import { parsedFile } from './parsed-file.js';
import { candidatesFor, parseHosts, parseSearch, type Search } from './system-names.js';

/**
 * Where a name is looked for, after the hosts file:
 * - `public`: in DNS, as it is written.
 * - `local`: in DNS, with the system's search domains; below `localhost` is this machine.
 * - `system`: the same, and what DNS does not know the system is asked for (mDNS, NSS), on its few threads.
 */
export type NameScope = 'public' | 'local' | 'system';

/** All addresses of a host name, at least one; rejects with an OutboundError or with Node's DNS errors. */
export type Resolve = (hostname: string, scope: NameScope) => Promise<LookupAddress[]>;

export interface DnsResolverOptions {
  /** Name servers as `address:port`; the system's unless given. */
  servers?: readonly string[];
  hostsFile?: string;
  resolvConf?: string;
  /** Lookups at once of users' names, and as many of the operator's. */
  most?: number;
  /** How long a lookup may take: 4.5 s unless a test is in a hurry. */
  timeoutMs?: number;
}

/** More than all runs and deliveries that a process carries out at once, each of which waits for one name. */
const MAX_LOOKUPS = 512;

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const askSystem = promisify(lookup);

/**
 * Looks names up so that one that hangs delays those alone who ask for it: all who do share one lookup, and those of one
 * domain, whose name servers are the same, leave places to others. A lookup ends after 4.5 s.
 */
export class DnsResolver {
  private readonly hosts: () => Promise<Map<string, LookupAddress[]>>;
  private readonly search: () => Promise<Search>;
  private readonly places: Record<'users' | 'operators', FairShare>;
  private readonly underWay = new Map<string, Promise<LookupAddress[]>>();
  private readonly closing = new AbortController();

  constructor(private readonly options: DnsResolverOptions = {}) {
    const { hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf', most = MAX_LOOKUPS } = options;
    this.hosts = parsedFile(hostsFile, parseHosts);
    this.search = parsedFile(resolvConf, parseSearch);
    this.places = { users: new FairShare(most), operators: new FairShare(most) };
  }

  resolve: Resolve = (hostname, scope) => {
    const name = hostname.toLowerCase();
    const key = `${scope} ${name}`;
    const known = this.underWay.get(key);
    if (known !== undefined) return known;
    const asked = this.lookUp(name, scope).finally(() => this.underWay.delete(key));
    this.underWay.set(key, asked);
    return asked;
  };

  /** Ends the lookups under way. */
  close(): void {
    this.closing.abort();
  }

  private async lookUp(name: string, scope: NameScope): Promise<LookupAddress[]> {
    const written = (await this.hosts()).get(name.replace(/\.$/, ''));
    if (written !== undefined) return written;
    if (isLocalName(name)) return LOOPBACK;
    const signal = AbortSignal.any([AbortSignal.timeout(this.options.timeoutMs ?? 4_500), this.closing.signal]);
    try {
      return await this.inTurn(name, scope, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new OutboundError('timeout', `The name ${name} was not resolved in time.`);
    }
  }

  private async inTurn(name: string, scope: NameScope, signal: AbortSignal): Promise<LookupAddress[]> {
    const places = this.places[scope === 'system' ? 'operators' : 'users'];
    const leave = await places.take(domainOf(name), 1, signal);
    try {
      return await this.byDns(name, scope, signal);
    } catch (error) {
      if (scope !== 'system' || !isNoAnswer(error)) throw error;
      return await untilAborted(askSystem(name, { all: true }), signal);
    } finally {
      leave();
    }
  }

  private async byDns(name: string, scope: NameScope, signal: AbortSignal): Promise<LookupAddress[]> {
    const candidates = scope === 'public' ? [name] : candidatesFor(name, await this.search());
    for (const [index, candidate] of candidates.entries()) {
      try {
        return await askDns(candidate, this.options.servers, signal);
      } catch (error) {
        if (index === candidates.length - 1 || !isNoSuchName(error)) throw error;
      }
    }
    throw new Error('A name has at least one candidate.');
  }
}

/** The last two labels: who may make names up below them is one and the same, but for few. */
function domainOf(name: string): string {
  return name.replace(/\.$/, '').split('.').slice(-2).join('.');
}

/** DNS does not know the name, or there is no name server. */
function isNoAnswer(error: unknown): boolean {
  return isNoSuchName(error) || (error as { code?: unknown }).code === 'ECONNREFUSED';
}
