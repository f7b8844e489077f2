/** What a process can take now. */
export interface Capacity {
  slots: number;
  /** Hosts and accounts that have enough under way. */
  busyHosts: readonly string[];
  busyAccounts: readonly string[];
  /** Accounts that have enough under way to one host, as `guestOf` names them: others may still reach it. */
  busyGuests: readonly string[];
}

/** Bytes of a body that a slot stands for, so that all slots together bound what a process holds in memory: 64 MiB. */
export const SLOT_BYTES = 262_144;
/** Slots of a process, and how many under way make a host, an account, or an account at a host wait. */
const SLOTS = 256;
const BUSY_HOST = 32;
const BUSY_ACCOUNT = 64;
const BUSY_GUEST = 8;

/** What a delivery under way takes, and from whom. */
interface Taken {
  slots: number;
  accountId: string;
  target: { host: string } | null;
}

/** An account at a host. */
function guestOf(accountId: string, host: string): string {
  return `${accountId} ${host}`;
}

/** What is left beside the deliveries that are under way. */
export function capacityBeside(underWay: readonly Taken[]): Capacity {
  return {
    slots: SLOTS - slotsOf(underWay),
    busyHosts: busy(underWay, BUSY_HOST, ({ target }) => target?.host ?? ''),
    busyAccounts: busy(underWay, BUSY_ACCOUNT, ({ accountId }) => accountId),
    busyGuests: busy(underWay, BUSY_GUEST, ({ accountId, target }) => guestOf(accountId, target?.host ?? '')),
  };
}

/** Who has so many slots, or more. */
function busy(underWay: readonly Taken[], most: number, of: (taken: Taken) => string): string[] {
  return [...Map.groupBy(underWay, of)].filter(([, taken]) => slotsOf(taken) >= most).map(([name]) => name);
}

function slotsOf(taken: readonly Taken[]): number {
  return taken.reduce((sum, { slots }) => sum + slots, 0);
}
