import { type Attack } from '../../attack.js';
import { giveRuns } from '../../rows.js';

/** Ten lists in each request that search for rare rows among 400,000 runs. */
export const failedRuns: Attack = {
  name: 'failed runs of 400,000, ten lists a request',
  lanes: 30,
  begin: async (attacker) => {
    await giveRuns(attacker, 400_000);
    const fields = Array.from({ length: 10 }, (_, n) => `r${n}: runs(status: FAILED) { meta { total } items { id } }`);
    return () => attacker.graphql(`{ ${fields.join(' ')} }`);
  },
};
