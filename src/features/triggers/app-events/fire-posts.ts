import { type Clock } from '../../../platform/clock.js';
import { type Database } from '../../../platform/db/database.js';
import { Postponed } from '../../../platform/db/groups/group-options.js';
import { AppError } from '../../../platform/errors.js';
import { storeFirings, type StoredRuns } from '../hooks/store-firings.js';
import { type RunQueue } from '../../runs/queue/run-queue.js';
import { type AppEvent } from './event-post.js';
import { fullAccounts, MAX_WAITING, storeFanOuts } from './fan-outs.js';
import { divide, type Fired, placedIn, restOf } from './fired-events.js';
import { findWaitingTriggers } from './waiting-triggers.js';

interface FirePostsDependencies {
  db: Database;
  clock: Clock;
  queue: RunQueue;
}

/** Takes what the triggers of a post cost. */
interface Learn {
  /** The comparisons. */
  looks: (place: number, looks: number) => void;
  /** The bytes of configs read so far for one event. @returns false to postpone the post. */
  bytes: (place: number, bytes: number) => boolean;
}

/** The events of posts that are not postponed, and the indexes of those that are. */
interface Found {
  all: Told[];
  postponed: ReadonlySet<number>;
}

/** An event that fires triggers, with the index of its post. */
interface Told {
  place: number;
  fired: Fired;
}

/**
 * Stores the runs of posts, each with any number of events, in one transaction. Tells `learn` what finding their
 * triggers took. @returns for each post its runs, without duplicates and in workflow order, or the error that refuses
 * or postpones it.
 */
export async function firePosts(
  deps: FirePostsDependencies,
  posts: readonly (readonly AppEvent[])[],
  lockMs: number | undefined,
  learn: Learn,
): Promise<(string[] | Error)[]> {
  const { all, postponed } = await findFired(deps.db, posts, learn);
  const refusalOf = await refusals(deps, all);
  const accepted = all.filter((told) => refusalOf(told) === undefined);
  const fired = accepted.map((told) => told.fired);
  const placed = placedIn(fired);
  const outcomes = await storeFirings(
    deps,
    placed.map(({ firing }) => firing),
    {
      lockMs,
      ...(fired.some(({ later }) => later.length > 0) && {
        afterwards: ({ tx, now, payloads, outcomes: stored }: StoredRuns) =>
          storeFanOuts(tx, now, restOf(fired, placed, stored), payloads),
      }),
    },
  );
  const placeOf = new Map(accepted.map((told) => [told.fired, told.place]));
  const runs = posts.map(() => new Set<string>());
  placed.forEach((one, index) => {
    const outcome = outcomes[index];
    if (outcome !== undefined) runs[placeOf.get(one.fired)!]!.add(outcome.runUuid);
  });
  const refused = new Map(all.map((told) => [told.place, refusalOf(told)] as const).filter(([, error]) => error));
  return runs.map((found, place) => {
    if (postponed.has(place)) return new Postponed();
    return refused.get(place) ?? [...found];
  });
}

async function findFired(db: Database, posts: readonly (readonly AppEvent[])[], learn: Learn): Promise<Found> {
  const events = posts.flat();
  const places = posts.flatMap((told, place) => told.map(() => place));
  const placeOf = new Map(events.map((event, index) => [event, places[index]!]));
  const matches = await findWaitingTriggers(db, events, (event, bytes) => learn.bytes(placeOf.get(event)!, bytes));
  const postponed = new Set(places.filter((_, index) => matches[index] === undefined));
  const looks = new Map<number, number>();
  const matched = events.flatMap((event, index) => {
    const place = places[index]!;
    const match = postponed.has(place) ? undefined : matches[index];
    if (match === undefined) return [];
    looks.set(place, (looks.get(place) ?? 0) + match.looks);
    return [{ event, place, triggers: match.triggers }];
  });
  looks.forEach((count, place) => learn.looks(place, count));
  const fired = divide(
    matched.map(({ event }) => event),
    matched.map(({ triggers }) => triggers),
  );
  return { all: fired.map((one, index) => ({ place: matched[index]!.place, fired: one })), postponed };
}

/**
 * Refuses events of accounts that have too many waiting events or have stored too much. If one event of a post is
 * refused, so are all of the same account: the provider posts them again, and none of them may have fired before.
 */
async function refusals(
  { db, queue: { stored } }: FirePostsDependencies,
  all: readonly Told[],
): Promise<(told: Told) => AppError | undefined> {
  const accountOf = ({ fired }: Told) => fired.event.settings.accountId;
  const nameOf = (told: Told) => `${told.place} ${accountOf(told)}`;
  // Nothing is stored of an event that no trigger waits for.
  const firing = all.filter(({ fired }) => fired.first.length > 0 || fired.later.length > 0);
  const full = await stored.fullOf(new Set(firing.map(accountOf)));
  const large = all.filter(({ fired }) => fired.later.length > 0);
  const waiting = await fullAccounts(db, [...new Set(large.map(accountOf))]);
  const refused = new Map<string, AppError>();
  for (const told of large) if (waiting.has(accountOf(told))) refused.set(nameOf(told), tooManyWait());
  for (const told of firing) {
    if (full.has(accountOf(told)) && !refused.has(nameOf(told)))
      refused.set(nameOf(told), stored.refusal(accountOf(told)));
  }
  return (told) => refused.get(nameOf(told));
}

function tooManyWait(): AppError {
  const message = `${MAX_WAITING} events of the account wait for the rest of their runs. Try again shortly.`;
  return new AppError('rate_limited', message, { retryAfter: 5 });
}
