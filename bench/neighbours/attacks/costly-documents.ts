import { type Attack } from '../attack.js';

/** As many fields of as many things as one document may ask for. */
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
