import { type Attack } from '../../attack.js';
import { giveRuns } from '../../rows.js';

const FIELDS = `id status attempt version triggerType triggerId workflowId isTest createdAt startedAt finishedAt resumesAt
  scheduledFor statusReason retryOf error { code message }`;

/** Ordinary lists of the greatest length, as many as one key may ask for. */
export const listsOfRuns: Attack = {
  name: 'lists of 100 runs, 20 at once',
  lanes: 20,
  begin: async (attacker) => {
    await giveRuns(attacker, 1_000);
    return () => attacker.graphql(`{ runs(perPage: 100) { items { ${FIELDS} } } }`);
  },
};
