import { type Attack } from '../attack.js';

/** The same as `largeHooks`, with a webhook that receives an event for each run. */
export const largeWebhooks: Attack = {
  name: '15 hooks of 1 MB a second, and a webhook',
  lanes: 15,
  everyMs: 1_000,
  begin: async (attacker) => {
    const url = await attacker.targetUrl('/');
    const hook = await attacker.hook();
    await attacker.make('POST', '/webhooks', { url, events: ['run.succeeded'] });
    const body = JSON.stringify('x'.repeat(1_000_000));
    return () => attacker.post(hook, body);
  },
};
