import { AsyncLocalStorage } from 'node:async_hooks';
import { type Answer } from './answers.js';

/** Callers before their account is known, and statements that serve several accounts at once: keys, hooks, gathered reads. */
const CALLERS = 'callers';
/** Sweeps, workers and feeds. */
const BACKGROUND = 'background';

/** In whose name a chain of calls uses the database. */
export interface Work {
  /** An account's uuid, or one of the two names above. */
  readonly party: string;
  /** Aborted when its result is no longer wanted. */
  client: { readonly signal: AbortSignal } | undefined;
  /** What is read for; undefined for what answers no request. */
  readonly answer: Answer | undefined;
}

/** What uses the database in the name of no account. */
export const OWN_PARTIES: ReadonlySet<string> = new Set([CALLERS, BACKGROUND]);

/** Why a client's signal aborts when the service stops: what is under way still gets its turn. */
export const STOPPING = new Error('The service stops.');

const works = new AsyncLocalStorage<Work>();
const background: Work = { party: BACKGROUND, client: undefined, answer: undefined };

/**
 * Runs what an account asked for. With a `client`, statements that wait for a connection are given up when it goes; with
 * an `answer`, what they read counts as held by it.
 */
export function workFor<T>(accountId: string, run: () => T, { client, answer }: Partial<Work> = {}): T {
  return works.run({ party: accountId, client, answer }, run);
}

/** Runs what belongs to no account, but callers wait for it. */
export function workForCallers<T>(run: () => T): T {
  return works.run({ party: CALLERS, client: undefined, answer: undefined }, run);
}

/** From now on this chain of calls goes on when its client has gone: it writes. */
export function outlastClient(): void {
  const work = works.getStore();
  if (work !== undefined) work.client = undefined;
}

/** The work that this chain of calls belongs to: the service's own unless a door said otherwise. */
export function currentWork(): Work {
  return works.getStore() ?? background;
}
