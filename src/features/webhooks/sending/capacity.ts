/** What a process can send now. */
export interface Capacity {
  slots: number;
  /** Hosts and accounts that have reached their limit. */
  busyHosts: readonly string[];
  busyAccounts: readonly string[];
  /** Pairs of account and host (`guestOf`) that have reached their limit; other accounts may still use the host. */
  busyGuests: readonly string[];
}

/** Bytes of body per slot: all slots together bound the memory of a process for bodies to 64 MiB. */
export const SLOT_BYTES = 262_144;
/** The slots of a process, and the limits for a host, for an account, and for an account at one host. */
const SLOTS = 256;
const BUSY_HOST = 32;
const BUSY_ACCOUNT = 64;
const BUSY_GUEST = 8;

/** The slots that a running delivery takes. */
interface Taken {
  slots: number;
  accountId: string;
  target: { host: string } | null;
}

/** The name of an account at a host. */
function guestOf(accountId: string, host: string): string {
  return `${accountId} ${host}`;
}

/** The capacity that running deliveries leave. */
export function capacityBeside(underWay: readonly Taken[]): Capacity {
  return {
    slots: SLOTS - slotsOf(underWay),
    busyHosts: busy(underWay, BUSY_HOST, ({ target }) => target?.host ?? ''),
    busyAccounts: busy(underWay, BUSY_ACCOUNT, ({ accountId }) => accountId),
    busyGuests: busy(underWay, BUSY_GUEST, ({ accountId, target }) => guestOf(accountId, target?.host ?? '')),
  };
}

/** The names that take at least `most` slots. */
function busy(underWay: readonly Taken[], most: number, of: (taken: Taken) => string): string[] {
  return [...Map.groupBy(underWay, of)].filter(([, taken]) => slotsOf(taken) >= most).map(([name]) => name);
}

function slotsOf(taken: readonly Taken[]): number {
  return taken.reduce((sum, { slots }) => sum + slots, 0);
}
