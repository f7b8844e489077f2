import { type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Of each family: a name with thousands of addresses is not tried through. */
const MAX_ADDRESSES = 8;

/**
 * The addresses of a whole name by DNS, IPv4 first, at least one. It takes no thread: `dns.lookup` takes one of four,
 * two at most for all names, until its answer is there. Each call has its own socket, and what hangs there ends with the
 * signal. @throws Node's DNS errors; `ECANCELLED` when the signal aborts before there is any address.
 */
export async function askDns(
  name: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  signal.throwIfAborted();
  // Made anew, it reads the system's settings as they are now.
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

/** Of two refusals the one that leaves open whether the name exists. */
function worst(answers: PromiseSettledResult<unknown>[]): unknown {
  const reasons = answers.map((answer) => (answer as PromiseRejectedResult).reason as unknown);
  return reasons.find((reason) => !isNoSuchName(reason)) ?? reasons[0];
}

/** DNS has answered that there is no such name, or no address below it. */
export function isNoSuchName(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
