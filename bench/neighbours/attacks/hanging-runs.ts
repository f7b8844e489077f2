import { type Attack } from '../attack.js';

/** Runs that hold 1 MB of empty objects while they wait for a server that never responds. */
export const hangingRuns: Attack = {
  name: 'inputs of 1 MB in front of a hanging server',
  lanes: 10,
  everyMs: 1_000,
  begin: async (attacker) => {
    const config = { method: 'POST', url: await attacker.targetUrl('/hang'), body: '{{trigger.body.length}}' };
    const hook = await attacker.hook([{ name: 'hang', kind: 'http_request', config }]);
    const body = `[${'{},'.repeat(340_000)}1]`;
    return () => attacker.post(hook, body);
  },
};
