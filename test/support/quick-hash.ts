import { scryptSync } from 'node:crypto';
import { type PasswordHash } from '../../src/platform/encryption/password-hash.js';

/** scrypt with the least work, since test files sign in hundreds of times. It still mixes the whole password. */
export const QUICK_HASH: PasswordHash = {
  hash: async (password) => digest(password),
  verify: async ({ hash, password }) => hash === digest(password),
};

function digest(password: string): string {
  return scryptSync(password, 'salt of tests', 32, { N: 2, r: 1 }).toString('hex');
}
