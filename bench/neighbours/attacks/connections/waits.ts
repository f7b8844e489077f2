import { type Attack } from '../../attack.js';

/** The maximum that an account may hold open: long polls for a run that does not end, and idle sockets. */
export const waits: Attack = {
  name: '100 waits and 1,000 idle sockets',
  lanes: 100,
  begin: async (attacker) => {
    const config = { method: 'GET', url: await attacker.targetUrl('/hang') };
    const hook = await attacker.hook([{ name: 'hang', kind: 'http_request', config }]);
    const { run_id } = (await attacker.post(hook, '1')).body as { run_id: string };
    for (let n = 0; n < 1_000 * attacker.size; n += 1) await attacker.socket();
    return () => attacker.send('GET', `/v1/runs/${run_id}?wait=30`, { key: attacker.side.readKey });
  },
};
