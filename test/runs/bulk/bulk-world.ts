import { EventReader } from '../../graphql/subscriptions/event-reader.js';
import { openStream } from '../../graphql/transports.js';
import { fromPublicId, newUuid } from '../../../src/platform/ids/ids.js';
import { type RunWorld } from '../../support/worlds/run-world.js';
import { until } from '../../support/until.js';

/** Stores ended or queued runs of a workflow directly, oldest first. @returns their uuids. */
export async function storeRuns(
  world: RunWorld,
  workflow: string,
  { count, status, code = null }: { count: number; status: string; code?: string | null },
): Promise<string[]> {
  const now = world.server.clock.now();
  const ids = Array.from({ length: count }, () => newUuid(now));
  const isOpen = status === 'queued';
  await world.server.db.query(
    `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, error, actions_id, created_at, finished_at)
     SELECT r.id, w.account_id, w.id, 'webhook', $3, $4::json, w.actions_id, $5, CASE WHEN $6 THEN NULL ELSE $5::timestamptz END
     FROM unnest($1::uuid[]) r (id), workflows w WHERE w.id = $2`,
    [ids, fromPublicId('wf', workflow), status, code && JSON.stringify({ code, message: '' }), now, isOpen],
  );
  return ids;
}

/** An operation as REST shows it. */
interface Operation {
  status: string;
  matched: number;
  done: number;
  failed: number;
}

/** The state of an operation once it has ended. */
export async function endOf(world: RunWorld, id: string): Promise<Operation> {
  const read = async () => (await world.client.rest('GET', `/bulk/${id}`)).body;
  await until(async () => (await read()).status !== 'running');
  return read();
}

/** All states that a subscriber hears until the stream completes. */
export async function heard(world: RunWorld, id: string): Promise<any[]> {
  const query = `subscription ($id: ID!) { bulkChanged(id: $id) { id kind status matched done failed createdAt } }`;
  const stream = await openStream(world.server, world.client.key!, { query, variables: { id } });
  const reader = new EventReader(stream);
  const states: any[] = [];
  for (let event = await reader.next(); event?.event === 'next'; event = await reader.next())
    states.push(event.data.data.bulkChanged);
  return states;
}
