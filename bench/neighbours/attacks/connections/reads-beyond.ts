import { type Attack } from '../../attack.js';

/** A client that ignores `Retry-After`. */
export const readsBeyond: Attack = {
  name: 'reads beyond the limit, 64 at once',
  lanes: 64,
  begin: async (attacker) => () => attacker.send('GET', '/v1/workflows', { key: attacker.side.readKey }),
};
