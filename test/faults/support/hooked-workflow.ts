import { type Client } from '../../support/http/client.js';

/** Creates an active workflow with these actions and a webhook trigger. @returns the path of its hook. */
export async function hookedWorkflow(client: Client, actions: readonly object[], config: object = {}): Promise<string> {
  const { body } = await client.rest('POST', '/workflows', { body: { name: 'hooked', status: 'active' } });
  const { status } = await client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions } });
  if (status !== 200) throw new Error(`The actions were refused: ${status}`);
  const trigger = { workflow_id: body.id, type: 'webhook', config };
  return (await client.rest('POST', '/triggers', { body: trigger })).body.webhook_url;
}
