import { type Attack } from '../../attack.js';

/** Password guesses, which are expensive to verify. */
export const passwords: Attack = {
  name: 'guessed passwords, 50 at once',
  lanes: 50,
  begin: async (attacker) => {
    const headers = { origin: `http://localhost:${attacker.side.port}` };
    return (lane) => {
      const body = { email: `person-${lane}@example.com`, password: 'a guess that is long enough' };
      return attacker.send('POST', '/auth/sign-in/email', { key: '', body, headers });
    };
  },
};
