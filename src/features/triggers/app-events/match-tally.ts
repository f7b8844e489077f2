import { type AppError, validationError } from '../../../platform/errors.js';
import { MAX_TRIGGERS_OF_ACCOUNT } from '../trigger-limits.js';
import { type AppEvent } from './event-post.js';

/**
 * The maximum number of firings that the events of one post cause in one account. One event may fire all triggers of its
 * account, and a post of 1,000 notifications ten for each.
 */
export const MAX_MATCHES = MAX_TRIGGERS_OF_ACCOUNT;
/**
 * The maximum number of comparisons for them. An event is compared with 10,000 triggers of 50 paths by 510,000.
 */
export const MAX_LOOKS = 2_000_000;

/** Counts the matches and comparisons of one post in one account, before anything is made of them. */
export class MatchTally {
  /** The number of pairs of an event and a trigger that it fires. */
  matches = 0;
  /** The number of compared triggers and filter paths. */
  looks = 0;

  /** Whether the post has more than it may have. */
  get isOver(): boolean {
    return this.matches > MAX_MATCHES || this.looks > MAX_LOOKS;
  }

  look(): void {
    this.looks += 1;
  }

  /** Counts a match. @returns whether the post may have it. */
  match(): boolean {
    this.matches += 1;
    return this.matches <= MAX_MATCHES;
  }

  /** Refuses the events of the post: a repetition would match as much. */
  refusal(): AppError {
    const message =
      this.matches > MAX_MATCHES
        ? `fire more than ${MAX_MATCHES.toLocaleString('en')} triggers in sum: post fewer at once, or narrow the filters`
        : `need more than ${MAX_LOOKS.toLocaleString('en')} comparisons with filters: post fewer at once`;
    return validationError({ field: 'events', message });
  }
}

/** The tallies of posts: one for each account that a post concerns. */
export class Tallies {
  private readonly places = new Map<AppEvent, number>();
  private readonly byAccount: Map<string, MatchTally>[];

  constructor(posts: readonly (readonly AppEvent[])[]) {
    this.byAccount = posts.map((events, place) => {
      for (const event of events) this.places.set(event, place);
      return new Map(events.map(({ settings }) => [settings.accountId, new MatchTally()]));
    });
  }

  of(event: AppEvent): MatchTally {
    return this.byAccount[this.placeOf(event)]!.get(event.settings.accountId)!;
  }

  /** The index of the post of an event. */
  placeOf(event: AppEvent): number {
    return this.places.get(event)!;
  }

  /** What the whole post of an event has taken so far, in all accounts. */
  sum(event: AppEvent): { looks: number; matches: number } {
    const all = [...this.byAccount[this.placeOf(event)]!.values()];
    const add = (of: (tally: MatchTally) => number) => all.reduce((sum, tally) => sum + of(tally), 0);
    return { looks: add(({ looks }) => looks), matches: add(({ matches }) => matches) };
  }
}
