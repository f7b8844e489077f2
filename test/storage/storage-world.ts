import { Client } from '../support/http/client.js';
import { StillClock } from '../support/clock.js';
import { RunWorld, type RunWorldOptions } from '../support/worlds/run-world.js';

/** What an account may store in these tests, in bytes. */
export const LIMIT = 1_048_576;
/** The longest post to a hook: as much as an account may store. */
const FULL = JSON.stringify('x'.repeat(LIMIT - 2));

/** A service in which an account may store a megabyte, with a second account. */
export class StorageWorld {
  private constructor(
    readonly runs: RunWorld,
    readonly other: Client,
  ) {}

  static async open({ env, ...options }: RunWorldOptions = {}): Promise<StorageWorld> {
    const runs = await RunWorld.open({ clock: new StillClock(), ...options, env: { STORED_LIMIT_MB: '1', ...env } });
    const { server } = runs;
    return new StorageWorld(runs, new Client(server.url, await server.key('read-write', 'other')));
  }

  get client(): Client {
    return this.runs.client;
  }

  /** A client of a new account. */
  async account(name: string): Promise<Client> {
    const { server } = this.runs;
    return new Client(server.url, await server.key('read-write', name));
  }

  close(): Promise<void> {
    return this.runs.close();
  }
}

/** An active workflow with a hook. @returns its id and the path of the hook. */
export async function workflowOf(
  client: Client,
  actions: readonly object[] = [],
): Promise<{ id: string; hook: string }> {
  const { body } = await client.rest('POST', '/workflows', { body: { name: 'Flow' } });
  if (actions.length > 0) await client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions } });
  await client.rest('PUT', `/workflows/${body.id}`, { body: { status: 'active' } });
  const trigger = await client.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'webhook' } });
  return { id: body.id, hook: new URL(trigger.body.webhook_url).pathname };
}

/** Stores as much as an account may, by a post to a hook, which is accepted. */
export async function fill(client: Client, hook: string): Promise<void> {
  const { status, body } = await client.send('POST', hook, { body: FULL });
  if (status !== 202) throw new Error(JSON.stringify(body));
}
