import { type Attack } from '../../attack.js';
import { giveWorkflows } from '../../rows.js';

/** Searches for a text that occurs in none of 100,000 workflows. */
export const searches: Attack = {
  name: 'searches of 100,000 workflows, ten a request',
  lanes: 30,
  begin: async (attacker) => {
    await giveWorkflows(attacker, 100_000);
    const fields = Array.from({ length: 10 }, (_, n) => `w${n}: workflows(search: "nowhere ${n}") { meta { total } }`);
    return () => attacker.graphql(`{ ${fields.join(' ')} }`);
  },
};
