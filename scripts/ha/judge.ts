/** A request of the load. `status`: that of HTTP, or the code of the error without a response. */
export interface Answer {
  started: number;
  ms: number;
  status: number | string;
}

/** What the clients saw of a fault, in seconds and numbers of requests, hooks and changes of connections together. */
export interface Seen {
  /** The longest time without an acknowledged hook. */
  gap: number;
  /** The longest time in which each request that was sent failed. */
  refusing: number;
  refused: number;
  /** Failures other than 503, in words; `0` for none. */
  others: string;
  slowest: number;
}

/** The most that clients may see of a fault; Infinity where nothing was promised beyond the failover's own time. */
export interface Promised {
  refusing?: number;
  refused?: number;
}

/** What the service may add to the failover's own time, in seconds. */
const ADDED = 3;
/** The limit of a statement and two seconds: no request hangs for longer, whatever happens to the database. */
const LONGEST = 7;

/** What the clients saw of requests that began between two times. */
export function seenBetween(hooks: readonly Answer[], changes: readonly Answer[], from: number, to: number): Seen {
  const within = ({ started }: Answer) => started >= from && started <= to;
  const all = [...hooks, ...changes].filter(within).sort((a, b) => a.started - b.started);
  const good = hooks.filter((one) => within(one) && isGood(one)).map(({ started, ms }) => started + ms);
  const times = [from, ...good].sort((a, b) => a - b);
  const others = Map.groupBy(
    all.filter((one) => !isGood(one) && one.status !== 503),
    ({ status }) => status,
  );
  return {
    gap: seconds(times.slice(1).map((time, index) => time - times[index]!)),
    refusing: seconds([longestFailure(all)]),
    refused: all.filter(({ status }) => status === 503).length,
    others: [...others].map(([status, list]) => `${status} × ${list.length}`).join(', ') || '0',
    slowest: seconds(all.map(({ ms }) => ms)),
  };
}

/** What clients saw beyond what was promised, one sentence each. `own`: the failover's own time in seconds. */
export function broken({ gap, refusing, refused, others, slowest }: Seen, own: number, promised: Promised): string[] {
  const most = { refusing: Infinity, refused: Infinity, ...promised };
  return [
    ...(gap > own + ADDED ? [`no 202 for ${gap} s, PostgreSQL itself ${own} s`] : []),
    ...(refusing > most.refusing ? [`refused for ${refusing} s`] : []),
    ...(refused > most.refused ? [`${refused} refused`] : []),
    ...(others === '0' ? [] : [`failed: ${others}`]),
    ...(slowest > LONGEST ? [`a request took ${slowest} s`] : []),
  ];
}

/** How many acknowledged changes the log of changes does not have as they were acknowledged. */
export function lostChanges(acknowledged: readonly Change[], stored: readonly Change[]): number {
  const text = ({ integration, version, status }: Change) => `${integration} ${version} ${status}`;
  const known = new Set(stored.map(text));
  return acknowledged.filter((change) => !known.has(text(change))).length;
}

/** A change of a connection. */
export interface Change {
  integration: string;
  version: number;
  status: string;
}

const MUST_BE_ZERO = [
  'acknowledged hooks lost',
  'hooks with two runs',
  'acknowledged changes lost',
  'ticks doubled',
  'changes missed',
  'changes doubled',
  'changes out of order',
  'processes that died',
];

/** The lines of the verdict over the whole run that are faults. One that is missing was not looked at, which is a fault too. */
export function faultsOf(verdict: Readonly<Record<string, number>>): string[] {
  return MUST_BE_ZERO.filter((name) => verdict[name] !== 0);
}

function isGood({ status }: Answer): boolean {
  return typeof status === 'number' && status >= 200 && status < 300;
}

/** By the time of sending: a request that waits and is then accepted was not refused. */
function longestFailure(sorted: readonly Answer[]): number {
  let [first, longest]: [number | undefined, number] = [undefined, 0];
  for (const answer of sorted) {
    if (isGood(answer)) first = undefined;
    else longest = Math.max(longest, answer.started - (first ??= answer.started));
  }
  return longest;
}

function seconds(milliseconds: readonly number[]): number {
  return Math.round(milliseconds.reduce((most, value) => Math.max(most, value), 0) / 100) / 10;
}
