import { type Attack } from '../../attack.js';

/** The worst text for a naive search, of the maximum length, in the largest input. */
export const contains: Attack = {
  name: 'a condition that searches 1 MB for 1,000 characters',
  lanes: 4,
  everyMs: 250,
  begin: async (attacker) => {
    const value = `${'a'.repeat(499)}b${'a'.repeat(500)}`;
    const config = { path: 'trigger.body', operator: 'contains', value };
    const hook = await attacker.hook([{ name: 'find', kind: 'condition', config }]);
    const body = JSON.stringify('a'.repeat(1_000_000));
    return () => attacker.post(hook, body);
  },
};
