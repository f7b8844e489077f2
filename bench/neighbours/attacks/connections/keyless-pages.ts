import { type Attack } from '../../attack.js';

/** Pages that need no key, and that do not exist. */
export const keylessPages: Attack = {
  name: 'pages without a key, 300 at once',
  lanes: 300,
  begin: async (attacker) => () => attacker.send('GET', '/connect/unknown', { key: '' }),
};
