import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { Postponed } from '../../../platform/db/groups/group-options.js';
import { AppError } from '../../../platform/errors.js';
import { type OnceASecond } from '../../../platform/logging/once-a-second.js';
import { partition } from '../../../platform/partition.js';
import { storeFirings, type StoredRuns } from '../hooks/store-firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { type AppEvent } from './event-post.js';
import { MAX_WAITING, storeFanOuts } from './fan-outs.js';
import { divide, type Fired, placedIn, restOf } from './fired-events.js';
import { type MatchCost } from './heavy-lanes.js';
import { type MatchTally, Tallies } from './match-tally.js';
import { type WaitingClaim, type WaitingEvents } from './waiting-events.js';
import { findWaitingTriggers, type WaitingTrigger } from './waiting-triggers.js';

interface FirePostsDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
  waiting: WaitingEvents;
  /** Logs events that are dropped for one account while others take the post. */
  log: OnceASecond;
}

/** How the transaction is written. */
export interface Writing {
  /** The limit of waits for locked rows. */
  lockMs: number | undefined;
  /** Called before the commit. @throws to roll it back. */
  mayCommit: () => void;
}

/** Takes what the triggers of a post cost. */
interface Learn {
  /** The comparisons. */
  looks: (place: number, looks: number) => void;
  /** What has been read, compared and matched so far. @returns false to postpone the post. */
  cost: (place: number, cost: MatchCost) => boolean;
}

/** The events of posts that are not postponed, and the indexes of those that are. */
interface Found {
  all: Told[];
  postponed: ReadonlySet<number>;
}

/** An event that may fire triggers. */
interface Told {
  /** The index of its post. */
  place: number;
  /** Counts the matches of the post in its account. */
  tally: MatchTally;
  fired: Fired;
  /** One of the triggers that it would fire; undefined if there is none. */
  sample: WaitingTrigger | undefined;
}

/**
 * Stores the runs of posts, each with any number of events, in one transaction. Tells `learn` what finding their
 * triggers took. @returns for each post its runs, without duplicates and in workflow order, or the error that refuses
 * or postpones it.
 */
export async function firePosts(
  deps: FirePostsDependencies,
  posts: readonly (readonly AppEvent[])[],
  writing: Writing,
  learn: Learn,
): Promise<(string[] | Error)[]> {
  const { all, postponed } = await findFired(deps.db, posts, learn);
  const full = await deps.queue.stored.fullOf(new Set(all.filter(isFiring).map(accountOf)));
  const claim = await deps.waiting.claim(largeOf(all));
  try {
    const refusalOf = refusals(deps, all, { full, claim });
    const [refused, accepted] = partition(all, (told) => refusalOf(told) !== undefined);
    // Another account's limit must not refuse the post, or the provider would repeat it and in the end stop all.
    const taken = new Set(accepted.filter(isFiring).map(({ place }) => place));
    const dropped = droppedOf(refused.filter((told) => isFiring(told) && taken.has(told.place)));
    for (const told of dropped) logDropped(deps.log, accountOf(told), refusalOf(told)!);
    // Nothing is stored of an account that has stored too much.
    const recorded = dropped.filter((told) => !full.has(accountOf(told)));
    const runs = await storeFired(deps, [...accepted, ...recorded], writing);
    const errors = new Map(refused.map((told) => [told.place, refusalOf(told)!]));
    return posts.map((_, place) => {
      if (postponed.has(place)) return new Postponed();
      return (taken.has(place) ? undefined : errors.get(place)) ?? [...(runs.get(place) ?? [])];
    });
  } finally {
    claim.end();
  }
}

/** Stores the runs of events. @returns them by the index of the post. */
async function storeFired(
  deps: FirePostsDependencies,
  told: readonly Pick<Told, 'place' | 'fired'>[],
  { lockMs, mayCommit }: Writing,
): Promise<Map<number, Set<string>>> {
  const fired = told.map((one) => one.fired);
  const placed = placedIn(fired);
  const runs = new Map<number, Set<string>>();
  if (placed.length === 0 && fired.every(({ later }) => later.length === 0)) return runs;
  const outcomes = await storeFirings(
    deps,
    placed.map(({ firing }) => firing),
    {
      lockMs,
      afterwards: async ({ tx, now, payloads, outcomes: stored }: StoredRuns) => {
        await storeFanOuts(tx, now, restOf(fired, placed, stored), payloads);
        mayCommit();
      },
    },
  );
  const placeOf = new Map(told.map((one) => [one.fired, one.place]));
  placed.forEach((one, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) return;
    const place = placeOf.get(one.fired)!;
    runs.set(place, (runs.get(place) ?? new Set()).add(outcome.runUuid));
  });
  return runs;
}

async function findFired(db: Database, posts: readonly (readonly AppEvent[])[], learn: Learn): Promise<Found> {
  const events = posts.flat();
  const places = posts.flatMap((told, place) => told.map(() => place));
  const tallies = new Tallies(posts);
  const matches = await findWaitingTriggers(db, events, {
    tallyOf: (event) => tallies.of(event),
    onRead: (event, bytes) => learn.cost(tallies.placeOf(event), { bytes, ...tallies.sum(event) }),
  });
  const postponed = new Set(places.filter((_, index) => matches[index] === undefined));
  posts.forEach(([first], place) => {
    if (first !== undefined && !postponed.has(place)) learn.looks(place, tallies.sum(first).looks);
  });
  const matched = events.flatMap((event, index) => {
    const place = places[index]!;
    const tally = tallies.of(event);
    const { triggers } = matches[index] ?? { triggers: [] };
    if (postponed.has(place)) return [];
    return [{ event, place, tally, sample: triggers[0], triggers: tally.isOver ? [] : triggers }];
  });
  const fired = divide(
    matched.map(({ event }) => event),
    matched.map(({ triggers }) => triggers),
  );
  return { all: fired.map((one, index) => ({ ...matched[index]!, fired: one })), postponed };
}

/** How many events of each account would wait. */
function largeOf(all: readonly Told[]): Map<string, number> {
  const large = all.filter(isLarge);
  return new Map([...Map.groupBy(large, accountOf)].map(([account, { length }]) => [account, length]));
}

/**
 * Refuses events that fire too many triggers, and those of accounts that have too many waiting events or have stored too
 * much. If one event of a post is refused, so are all of the same account: the provider posts them again, and none of them
 * may have fired before.
 */
function refusals(
  { queue: { stored } }: FirePostsDependencies,
  all: readonly Told[],
  { full, claim }: { full: ReadonlySet<string>; claim: WaitingClaim },
): (told: Pick<Told, 'place' | 'fired'>) => AppError | undefined {
  const refused = new Map<string, AppError>();
  for (const [name, alike] of Map.groupBy(all, nameOf)) {
    const [first] = alike;
    const account = accountOf(first!);
    const large = alike.filter(isLarge).length;
    if (first!.tally.isOver) refused.set(name, first!.tally.refusal());
    else if (full.has(account) && alike.some(isFiring)) refused.set(name, stored.refusal(account));
    else if (large > 0 && !claim.takes(account, large)) refused.set(name, tooManyWait());
  }
  return (told) => refused.get(nameOf(told));
}

/** Of refused events the first of each post and account: its skipped run stands for all. */
function droppedOf(refused: readonly Told[]): Pick<Told, 'place' | 'fired'>[] {
  return [...Map.groupBy(refused, nameOf).values()].map(([first]) => {
    const { place, fired, sample } = first!;
    return { place, fired: { event: fired.event, first: [sample!], later: [], isDropped: true } };
  });
}

function logDropped(log: OnceASecond, account: string, { code, message }: AppError): void {
  log.log('warn', `dropped ${account}`, { account, code, cause: message }, 'events: dropped for one account of a post');
}

function accountOf({ fired }: Pick<Told, 'fired'>): string {
  return fired.event.settings.accountId;
}

/** The same for all events of one post in one account. */
function nameOf(told: Pick<Told, 'place' | 'fired'>): string {
  return `${told.place} ${accountOf(told)}`;
}

/** Whether something is stored of an event. */
function isFiring({ sample }: Told): boolean {
  return sample !== undefined;
}

function isLarge({ fired }: Told): boolean {
  return fired.later.length > 0;
}

function tooManyWait(): AppError {
  const message = `${MAX_WAITING} events of the account wait for the rest of their runs, or would with this post. Try again shortly.`;
  return new AppError('rate_limited', message, { retryAfter: 5 });
}
