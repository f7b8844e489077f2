import { lookup, type LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { isLocalName } from './addresses.js';
import { askDns, isNoSuchName } from './ask-dns.js';
import { untilAborted } from './call-limits.js';
import { FairShare } from '../../admission/fair-share.js';
import { currentWork, OWN_PARTIES } from '../../admission/work.js';
import { currentWire } from './limits/wire-limit.js';
import { OutboundError } from './outbound-error.js';
import { parsedFile } from './parsed-file.js';
import { candidatesFor, parseHosts, parseSearch, type Search } from './system-names.js';

/**
 * Where a name is looked up, after the hosts file:
 * - `public`: in DNS, exactly as written.
 * - `local`: in DNS, with the system's search domains; names below `localhost` are this machine.
 * - `system`: the same, and names unknown to DNS by the system's resolver (mDNS, NSS), on its few threads.
 */
export type NameScope = 'public' | 'local' | 'system';

/** Resolves all addresses of a host name, at least one; rejects with an OutboundError or with Node's DNS errors. */
export type Resolve = (hostname: string, scope: NameScope) => Promise<LookupAddress[]>;

/** How to look names up; the defaults are those of the system. */
export interface DnsResolverOptions {
  /** Name servers as `address:port`; the system's by default. */
  servers?: readonly string[];
  hostsFile?: string;
  resolvConf?: string;
  /** The maximum of concurrent lookups of users' names, and of the operator's. */
  most?: number;
  /** The timeout of a lookup: 4.5 s by default. */
  timeoutMs?: number;
}

/** More than the concurrent runs and deliveries of a process, each of which waits for one name. */
const MAX_LOOKUPS = 512;

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const askSystem = promisify(lookup);

/**
 * Looks up names so that a hanging one delays only its own callers. Concurrent calls of an account to one name share a
 * lookup. Accounts share the places, and the names of one domain, which have the same name servers, leave places of their
 * account to other domains. Without an account, domains share the places. A lookup ends after 4.5 s.
 */
export class DnsResolver {
  private readonly hosts: () => Promise<Map<string, LookupAddress[]>>;
  private readonly search: () => Promise<Search>;
  private readonly places: Record<'users' | 'operators', FairShare>;
  /** The places that an account leaves to its domains; only of accounts with a lookup. */
  private readonly domains = new Map<string, FairShare>();
  private readonly underWay = new Map<string, Promise<LookupAddress[]>>();
  private readonly closing = new AbortController();

  private readonly most: number;

  constructor(private readonly options: DnsResolverOptions = {}) {
    const { hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf', most = MAX_LOOKUPS } = options;
    this.most = most;
    this.hosts = parsedFile(hostsFile, parseHosts);
    this.search = parsedFile(resolvConf, parseSearch);
    this.places = { users: new FairShare(most), operators: new FairShare(most) };
  }

  resolve: Resolve = (hostname, scope) => {
    const name = hostname.toLowerCase();
    const account = currentAccount();
    // Of another account the lookup may wait behind names that hang.
    const key = `${scope} ${name} ${account}`;
    const known = this.underWay.get(key);
    if (known !== undefined) return known;
    const asked = this.lookUp(name, scope, account).finally(() => this.underWay.delete(key));
    this.underWay.set(key, asked);
    return asked;
  };

  /** Aborts the running lookups. */
  close(): void {
    this.closing.abort();
  }

  private async lookUp(name: string, scope: NameScope, account: string | undefined): Promise<LookupAddress[]> {
    const written = (await this.hosts()).get(name.replace(/\.$/, ''));
    if (written !== undefined) return written;
    if (isLocalName(name)) return LOOPBACK;
    const signal = AbortSignal.any([AbortSignal.timeout(this.options.timeoutMs ?? 4_500), this.closing.signal]);
    try {
      return await this.inTurn(name, scope, account, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new OutboundError('timeout', `The name ${name} was not resolved in time.`);
    }
  }

  private async inTurn(
    name: string,
    scope: NameScope,
    account: string | undefined,
    signal: AbortSignal,
  ): Promise<LookupAddress[]> {
    const leaveDomain = await this.placeOfDomain(account, domainOf(name), signal);
    try {
      return await this.inTurnOf(account ?? domainOf(name), name, scope, signal);
    } finally {
      leaveDomain();
    }
  }

  /** A place of a domain among the lookups of an account. Without a limit of its own one domain would take all of them. */
  private async placeOfDomain(account: string | undefined, domain: string, signal: AbortSignal): Promise<() => void> {
    if (account === undefined) return () => undefined;
    const domains = this.domains.get(account) ?? new FairShare(Math.ceil(this.most / 2));
    this.domains.set(account, domains);
    const forget = () => {
      if (domains.inUse === 0 && domains.waiters.size === 0) this.domains.delete(account);
    };
    try {
      const leave = await domains.take(domain, 1, signal);
      return () => {
        leave();
        forget();
      };
    } catch (error) {
      forget();
      throw error;
    }
  }

  private async inTurnOf(
    holder: string,
    name: string,
    scope: NameScope,
    signal: AbortSignal,
  ): Promise<LookupAddress[]> {
    const places = this.places[scope === 'system' ? 'operators' : 'users'];
    const leave = await places.take(holder, 1, signal);
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

/** The account that calls, or whose request checks an address. */
function currentAccount(): string | undefined {
  const wire = currentWire();
  if (wire !== undefined) return wire.account;
  const { party } = currentWork();
  return OWN_PARTIES.has(party) ? undefined : party;
}

/** The last two labels: with few exceptions one owner controls all names below them. */
function domainOf(name: string): string {
  return name.replace(/\.$/, '').split('.').slice(-2).join('.');
}

/** DNS does not know the name, or no name server is running. */
function isNoAnswer(error: unknown): boolean {
  return isNoSuchName(error) || (error as { code?: unknown }).code === 'ECONNREFUSED';
}
