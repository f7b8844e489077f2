import { AppError } from '../errors.js';
import { abandoned, noTurn } from './no-turn.js';
import { restAsLong } from './company.js';
import { accountsAtWork, currentWork, OWN_PARTIES, STOPPING, type Work } from './work.js';

/** Connections that one party cannot take; of a pool of two or three, one. */
export const KEPT_FREE = 2;
/**
 * The maximum of concurrent expensive statements of a party: each reads many rows and keeps a core of PostgreSQL busy.
 */
export const EXPENSIVE = 2;
/** How long a statement waits for its turn. */
export const PATIENCE_MS = 5_000;
/**
 * If no turn ends for this part of a wait the database is considered silent: statements take less time, or are ended.
 */
const SILENCE = 0.8;
const NO_CONNECTION = 'No database connection in time.';

/**
 * An expensive statement may read as many rows as an account has: searches, statistics, counted totals, distant pages.
 */
export type Cost = 'cheap' | 'expensive';

/** What a party waits for: a connection for a statement, or the place of an expensive one on a connection that it has. */
type Wanted = Cost | 'place';

/** The use of one connection, or of the place of an expensive statement. */
export interface Turn {
  /** Ends the turn, once the connection is back in the pool or the statement has ended. To be called once. */
  leave(): void;
}

interface Waiter {
  refuse(error: AppError): void;
  /** An ascending number: cheap and expensive statements of a party keep their order. */
  place: number;
  grant(): void;
}

/** An account, or the service itself. */
class Party {
  held = 0;
  heldExpensive = 0;
  readonly waiting: Record<Wanted, Set<Waiter>> = { cheap: new Set(), expensive: new Set(), place: new Set() };

  constructor(readonly name: string) {}

  get waits(): number {
    return this.waiting.cheap.size + this.waiting.expensive.size + this.waiting.place.size;
  }
}

/**
 * Shares the connections of a pool between parties. A party gets all but two of them at most, and the last free one
 * only while it has no other; waiting parties take turns. So no account blocks another, and a single one may use nearly
 * all.
 */
export class Turns {
  private readonly parties = new Map<string, Party>();
  /** Parties that wait, in the order of their turns. */
  private readonly queue = new Set<Party>();
  private readonly limit: number;
  private used = 0;
  private places = 0;
  private ended = 0;

  /** For `size` connections. A statement waits up to `patience` milliseconds for its turn. */
  constructor(
    private readonly size: number,
    private readonly patience = PATIENCE_MS,
  ) {
    this.limit = Math.max(Math.ceil(size / 2), size - KEPT_FREE);
  }

  /** The connections in use now. */
  get inUse(): number {
    return this.used;
  }

  /** The statements and transactions that wait for a connection. */
  get waiting(): number {
    let sum = 0;
    for (const party of this.queue) sum += party.waits;
    return sum;
  }

  /** The connections that a party uses now, those of them for expensive statements, and its waiting statements. */
  of(name: string): { held: number; heldExpensive: number; waits: number } {
    const { held, heldExpensive, waits } = this.parties.get(name) ?? new Party(name);
    return { held, heldExpensive, waits };
  }

  /**
   * Waits for a turn for the current work. Work that has a connection takes only the `place` of its expensive statement.
   * Work with a place waits for no connection, so no two wait for each other. @throws AppError after `patience`:
   * `rate_limited` when its own party has its maximum, `unavailable` when other parties hold the rest or the database is
   * silent; also `unavailable` when the client disconnects.
   */
  async take(cost: Wanted): Promise<Turn> {
    const work = currentWork();
    const party = this.partyOf(work);
    if (this.admits(party, cost)) return this.begin(party, cost);
    return this.wait(work, party, cost);
  }

  /**
   * Refuses all waiting statements with `unavailable` when the database falls silent: with their turn they would only
   * wait as long again.
   */
  refuseWaiting(): void {
    const all = [...this.queue].flatMap(({ waiting }) => Object.values(waiting).flatMap((waiters) => [...waiters]));
    for (const waiter of all) waiter.refuse(silent());
  }

  private partyOf({ party: name }: Work): Party {
    let party = this.parties.get(name);
    if (party === undefined) this.parties.set(name, (party = new Party(name)));
    return party;
  }

  private admits({ held, heldExpensive }: Party, cost: Wanted): boolean {
    if (cost === 'place') return heldExpensive < EXPENSIVE;
    const free = this.size - this.used;
    if (free === 0 || held >= this.limit || (free === 1 && held > 0)) return false;
    return cost === 'cheap' || heldExpensive < EXPENSIVE;
  }

  private begin(party: Party, cost: Wanted): Turn {
    const connections = cost === 'place' ? 0 : 1;
    this.used += connections;
    party.held += connections;
    if (cost !== 'cheap') party.heldExpensive += 1;
    const began = performance.now();
    return {
      leave: () => {
        this.used -= connections;
        this.ended += 1;
        party.held -= connections;
        if (cost !== 'cheap') void this.endExpensive(party, began);
        this.forget(party);
        this.serve();
      },
    };
  }

  /** While other accounts have work, the next expensive statement of a party comes after a rest. */
  private async endExpensive(party: Party, began: number): Promise<void> {
    if (accountsAtWork.isMixed) await restAsLong(began);
    party.heldExpensive -= 1;
    // First to those that keep a connection, and maybe rows, while they wait.
    const [next] = party.waiting.place;
    next?.grant();
    this.forget(party);
    this.serve();
  }

  private wait({ client }: Work, party: Party, cost: Wanted): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const signal = client?.signal;
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        party.waiting[cost].delete(waiter);
        if (party.waits === 0) this.queue.delete(party);
      };
      const refuse = (error: AppError): void => {
        end();
        this.forget(party);
        reject(error);
      };
      const giveUp = (): void => {
        if (signal!.reason !== STOPPING) refuse(abandoned());
      };
      const waiter: Waiter = {
        place: (this.places += 1),
        refuse,
        grant: () => {
          end();
          resolve(this.begin(party, cost));
        },
      };
      let timer = setTimeout(
        () => {
          const { ended } = this;
          timer = setTimeout(
            () => refuse(this.ended === ended ? silent() : this.tooLate(party, cost)),
            this.patience * SILENCE,
          );
        },
        this.patience * (1 - SILENCE),
      );
      party.waiting[cost].add(waiter);
      this.queue.add(party);
      signal?.addEventListener('abort', giveUp);
      if (signal?.aborted) giveUp();
    });
  }

  private forget(party: Party): void {
    if (party.held + party.heldExpensive + party.waits === 0) this.parties.delete(party.name);
  }

  /** Gives free connections to waiting parties; a served party goes to the end, where the loop meets it again. */
  private serve(): void {
    for (const party of this.queue) {
      if (this.used === this.size) return;
      const waiter = this.nextOf(party);
      if (waiter === undefined) continue;
      this.queue.delete(party);
      waiter.grant();
      if (party.waits > 0) this.queue.add(party);
    }
  }

  private nextOf(party: Party): Waiter | undefined {
    const [cheap, expensive] = (['cheap', 'expensive'] as const).map((cost) => {
      const [first] = this.admits(party, cost) ? party.waiting[cost] : [];
      return first;
    });
    if (cheap === undefined || expensive === undefined) return cheap ?? expensive;
    return cheap.place < expensive.place ? cheap : expensive;
  }

  private tooLate({ name, held, heldExpensive }: Party, cost: Wanted): AppError {
    const hasAll = held >= this.limit || (cost !== 'cheap' && heldExpensive >= EXPENSIVE);
    if (hasAll && !OWN_PARTIES.has(name)) {
      const most = cost !== 'place' && held >= this.limit ? `${this.limit}` : `${EXPENSIVE} expensive`;
      const message = `The account has ${most} database statements running, the maximum. Try again shortly.`;
      return new AppError('rate_limited', message, noTurn(NO_CONNECTION));
    }
    return unavailable('The service is too busy with other requests. Try again shortly.');
  }
}

function silent(): AppError {
  return unavailable('The service cannot reach its database. Try again shortly.');
}

function unavailable(message: string): AppError {
  return new AppError('unavailable', message, noTurn(NO_CONNECTION));
}
