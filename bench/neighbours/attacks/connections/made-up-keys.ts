import { newKeyText } from '../../../../src/features/api-keys/key-text.js';
import { type Attack } from '../../attack.js';

/** Well-formed keys that do not exist. */
export const madeUpKeys: Attack = {
  name: 'made-up keys, 50 at once',
  lanes: 50,
  begin: async (attacker) => () => attacker.send('GET', '/v1/workflows', { key: newKeyText() }),
};
