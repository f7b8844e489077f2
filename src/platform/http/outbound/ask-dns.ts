import { type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** The maximum of addresses of each family: a name may have thousands. */
const MAX_ADDRESSES = 8;

/**
 * Looks up the addresses of a fully qualified name in DNS, IPv4 first, at least one. It needs no thread: `dns.lookup`
 * occupies one of four, at most two for all names, until its answer arrives. Each call has its own socket, and a
 * hanging query ends with the signal. @throws Node's DNS errors; `ECANCELLED` when the signal aborts before any address
 * arrived.
 */
export async function askDns(
  name: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  signal.throwIfAborted();
  // A new resolver reads the current settings of the system.
  const resolver = new Resolver({ timeout: 1_000, tries: 3 });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled'
        ? answer.value.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    );
    if (found.length === 0) throw worst(answers);
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Of two errors the one that leaves open whether the name exists. */
function worst(answers: PromiseSettledResult<unknown>[]): unknown {
  const reasons = answers.map((answer) => (answer as PromiseRejectedResult).reason as unknown);
  return reasons.find((reason) => !isNoSuchName(reason)) ?? reasons[0];
}

/** Whether DNS answered that the name does not exist or has no address. */
export function isNoSuchName(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
