import { type Attack } from '../attack.js';

/** Bodies of the maximum depth and size that fail validation. */
export const deepJson: Attack = {
  name: 'bodies of 100 kB and 200 levels, 20 at once',
  lanes: 20,
  begin: async (attacker) => {
    const deep = `${'['.repeat(190)}${']'.repeat(190)}`;
    const body = `{"actions":[${Array.from({ length: 260 }, () => deep).join(',')}]}`;
    const id = await attacker.workflow();
    return () => attacker.send('PUT', `/v1/workflows/${id}/actions`, { body });
  },
};
