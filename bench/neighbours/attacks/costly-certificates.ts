import { type Attack } from '../attack.js';

/** Runs that call a server whose certificates take long to verify. */
export const costlyCertificates: Attack = {
  name: 'certificates with many name constraints',
  lanes: 10,
  everyMs: 200,
  begin: async (attacker) => {
    const config = { method: 'GET', url: await attacker.secureTargetUrl('/') };
    const hook = await attacker.hook([{ name: 'call', kind: 'http_request', config }]);
    return () => attacker.post(hook, '1');
  },
};
