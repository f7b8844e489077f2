import { newKeyText } from '../../../src/features/api-keys/key-text.js';
import { type Attack } from '../attack.js';

/** Keys that look like keys, and are nobody's. */
export const madeUpKeys: Attack = {
  name: 'made-up keys, 50 at once',
  lanes: 50,
  begin: async (attacker) => () => attacker.send('GET', '/v1/workflows', { key: newKeyText() }),
};
