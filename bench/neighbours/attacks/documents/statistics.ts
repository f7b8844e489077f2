import { type Attack } from '../../attack.js';
import { giveRuns } from '../../rows.js';

/** Charts that count each of 400,000 runs, ten in each request. */
export const statistics: Attack = {
  name: 'statistics of 400,000 runs, ten a request',
  lanes: 30,
  begin: async (attacker) => {
    await giveRuns(attacker, 400_000);
    const from = new Date(Date.now() - 86_400_000).toISOString();
    const fields = Array.from(
      { length: 10 },
      (_, n) => `s${n}: runStatistics(from: "${from}", bucket: HOUR) { sum { total } }`,
    );
    return () => attacker.graphql(`{ ${fields.join(' ')} }`);
  },
};
