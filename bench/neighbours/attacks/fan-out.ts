import { createHmac } from 'node:crypto';
import { type Attack } from '../attack.js';

/** One event of 1 MB that fires 2,000 triggers. */
export const fanOut: Attack = {
  name: 'an event of 1 MB for 2,000 triggers',
  lanes: 2,
  everyMs: 500,
  begin: async (attacker) => {
    const integration = await attacker.make('POST', '/integrations/connect', {
      type: 'sandbox_api_key',
      credentials: { api_key: 'sandbox_valid_key' },
    });
    const config = { integration_id: integration.id, event: 'item.created' };
    for (let n = 0; n < Math.ceil(20 * attacker.size); n += 1) {
      const workflow_id = await attacker.workflow();
      const triggers = Array.from({ length: 100 }, () => ({ workflow_id, type: 'app_event', config }));
      for (const trigger of triggers) await attacker.make('POST', '/triggers', trigger);
    }
    const { body } = await attacker.graphql(
      'query ($id: ID!) { integration(id: $id) { eventsUrl eventsSecret } }',
      { id: integration.id },
      attacker.side.key,
    );
    const { eventsUrl, eventsSecret } = (body as { data: { integration: Record<string, string> } }).data.integration;
    const event = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    const signature = `sha256=${createHmac('sha256', eventsSecret!).update(event).digest('hex')}`;
    const headers = { 'x-sandbox-event': 'item.created', 'x-sandbox-signature': signature };
    return () => attacker.post(new URL(eventsUrl!).pathname, event, headers);
  },
};
