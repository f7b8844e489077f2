import { type Attack } from '../../attack.js';
import { giveRuns } from '../../rows.js';

/** The last pages of a long list. */
export const farPages: Attack = {
  name: 'pages behind 400,000 rows, ten a request',
  lanes: 30,
  begin: async (attacker) => {
    await giveRuns(attacker, 400_000);
    const fields = Array.from(
      { length: 10 },
      (_, n) => `p${n}: runs(page: ${4_000 - n}, perPage: 100) { items { id } }`,
    );
    return () => attacker.graphql(`{ ${fields.join(' ')} }`);
  },
};
