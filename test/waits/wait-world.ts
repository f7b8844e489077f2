import { type RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';

/** The path of a URL of the service. */
export function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** The waits of a run over REST, newest first. */
export async function waitsOf({ client }: Pick<RunWorld, 'client'>, run: string): Promise<any[]> {
  return (await client.rest('GET', `/waits?run_id=${run}`)).body.data;
}

/** The pending waits of a run, once it waits. */
export async function waiting(world: Pick<RunWorld, 'client' | 'run'>, run: string): Promise<any[]> {
  await until(async () => (await world.run(run)).status === 'waiting');
  return (await waitsOf(world, run)).filter(({ status }) => status === 'pending');
}

/** The integrations of an end user over REST with all their fields, newest first. */
export async function integrationsOf({ client }: Pick<RunWorld, 'client'>, reference: string): Promise<any[]> {
  const { body } = await client.rest('GET', `/integrations?reference=${reference}&per_page=100`);
  const ids = (body.data as { id: string }[]).map(({ id }) => id);
  return Promise.all(ids.map(async (id) => (await client.rest('GET', `/integrations/${id}`)).body));
}
