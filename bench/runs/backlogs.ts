import type pg from 'pg';
import { type Drive, type Driven } from '../load/http.js';
import { makeAccount } from '../seed.js';
import { type World } from '../world.js';
import { giveHooks, type HookedAccount } from './accounts.js';

/** The number of accounts that share a backlog. */
export const ACCOUNTS = 100;

const CONNECTIONS = 128;
const BODY = JSON.stringify({ event: 'order.created', order: { id: 1234567, total: '99.50', currency: 'EUR' } });

/** Creates the accounts, each with a hook. */
export async function hooksOfAccounts({ servers }: World, db: pg.Client): Promise<HookedAccount[]> {
  const accounts = [];
  for (let index = 0; index < ACCOUNTS; index += 1) accounts.push(await makeAccount(db, `runs ${index}`));
  return giveHooks(servers.service.port, accounts);
}

/** Fires hooks until this many runs are queued, or a few more. @returns their number. */
export async function fireBacklog(world: World, hooks: readonly HookedAccount[], count: number): Promise<number> {
  let fired = 0;
  while (fired < count) fired += (await world.load.ask<Driven>('drive', driveOf(world, hooks, 500))).answers;
  return fired;
}

/** Keeps the hooks of all accounts busy for this time. */
export function driveOf({ servers }: World, hooks: readonly HookedAccount[], milliseconds: number): Drive {
  return {
    port: servers.service.port,
    requests: requestsOf(hooks),
    status: 202,
    connections: CONNECTIONS,
    milliseconds,
  };
}

/** One post to each hook. */
export function requestsOf(hooks: readonly HookedAccount[]): Drive['requests'] {
  return hooks.map(({ hook }) => ({ method: 'POST', path: hook, body: BODY }));
}

/** Waits until every run has ended. */
export async function whenAllEnded(db: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await db.query(`SELECT 1 FROM runs WHERE finished_at IS NULL LIMIT 1`);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
