import { hashPassword, verifyPassword } from 'better-auth/crypto';

/** A hash of passwords that is slow on purpose. */
export interface PasswordHash {
  hash: (password: string) => Promise<string>;
  verify: (given: { hash: string; password: string }) => Promise<boolean>;
}

/** scrypt with the parameters of the library: each hash takes 32 MB and a tenth of a second of CPU time. */
export const SCRYPT: PasswordHash = { hash: hashPassword, verify: verifyPassword };
