import { AsyncLocalStorage } from 'node:async_hooks';
import { type Answer } from './answers.js';
import { Company } from './company.js';
import { abandoned } from './no-turn.js';

/**
 * Requests whose account is not yet known, and statements that serve several accounts at once: keys, hooks, batched
 * reads.
 */
const CALLERS = 'callers';
/** Periodic jobs, workers and change feeds. */
const BACKGROUND = 'background';

/** The party in whose name an asynchronous call chain uses the database. */
export interface Work {
  /** The uuid of an account, the network of a client who signs in, or one of the two names above. */
  readonly party: string;
  /** Its signal aborts when the result is no longer wanted. */
  client: { readonly signal: AbortSignal } | undefined;
  /** The response that the data is read for; undefined for work without a response. */
  readonly answer: Answer | undefined;
  /** The id of the request; undefined for work without one. */
  readonly requestId?: string | undefined;
}

/** The parties that are not accounts. */
export const OWN_PARTIES: ReadonlySet<string> = new Set([CALLERS, BACKGROUND]);

/** The reason of a client's signal when the service stops: work under way still gets its turn. */
export const STOPPING = new Error('The service stops.');

/** Whether several accounts have work in this process. */
export const accountsAtWork = new Company();

const works = new AsyncLocalStorage<Work>();
const background: Work = { party: BACKGROUND, client: undefined, answer: undefined };

/**
 * Runs work of an account. With a `client`, statements stop waiting for a connection when the client disconnects; with
 * an `answer`, the data that they read counts towards it.
 */
export function workFor<T>(accountId: string, run: () => T, { client, answer, requestId }: Partial<Work> = {}): T {
  accountsAtWork.note(accountId);
  return works.run({ party: accountId, client, answer, requestId }, run);
}

/** Runs work that belongs to no account but that callers wait for. */
export function workForCallers<T>(run: () => T): T {
  return works.run({ party: CALLERS, client: undefined, answer: undefined }, run);
}

/**
 * Runs work beside that of its party: for a call chain that holds a connection of the party and needs another one. If
 * several waited for a second one, they would wait for each other.
 */
export function workBeside<T>(run: () => T): T {
  const work = currentWork();
  return works.run(OWN_PARTIES.has(work.party) ? work : { ...work, party: `${work.party} beside` }, run);
}

/**
 * Runs work in the name of an account, beside its other work: it may wait for rows that this has locked, or hold a place that
 * others wait for.
 */
export function workApart<T>(accountId: string, run: () => T): T {
  return workFor(accountId, () => workBeside(run));
}

/** @throws AppError `unavailable` if the client of the current work has left, for work that others wait for. */
export function demandClient(): void {
  const signal = currentWork().client?.signal;
  if (signal?.aborted === true && signal.reason !== STOPPING) throw abandoned();
}

/** From now on the current call chain continues after its client has disconnected: it writes. */
export function outlastClient(): void {
  const work = works.getStore();
  if (work === undefined) return;
  work.client = undefined;
  work.answer?.mustFinish();
}

/** The work that the current call chain belongs to; background work unless a transport said otherwise. */
export function currentWork(): Work {
  return works.getStore() ?? background;
}
