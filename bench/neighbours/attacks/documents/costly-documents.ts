import { type Attack } from '../../attack.js';

/** Documents that select as many fields of as many nodes as allowed. */
export const costlyDocuments: Attack = {
  name: 'documents of nearly 5,000 nodes, 20 at once',
  lanes: 20,
  begin: async (attacker) => {
    for (let n = 0; n < 40 * attacker.size; n += 1) await attacker.hook();
    const query = `{ workflows(perPage: 40) { items { name triggers(perPage: 40) { items { id config } meta { total } }
      runs(perPage: 40) { items { id } meta { total } } actions { name config } } } }`;
    return () => attacker.graphql(query);
  },
};
