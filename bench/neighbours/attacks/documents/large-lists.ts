import { type Attack } from '../../attack.js';

/** Lists of runs with an input of 1 MB each. */
export const largeLists: Attack = {
  name: 'lists of 100 runs of 1 MB, 20 at once',
  lanes: 20,
  begin: async (attacker) => {
    const hook = await attacker.hook();
    const body = JSON.stringify('x'.repeat(1_000_000));
    for (let n = 0; n < 100 * attacker.size; n += 1) await attacker.post(hook, body);
    return (lane) =>
      lane % 2 === 0
        ? attacker.send('GET', '/v1/runs?per_page=100', { key: attacker.side.readKey })
        : attacker.graphql('{ runs(perPage: 100) { items { id input steps { output } } } }');
  },
};
