/** What the sign-in library takes for an address; another one could be invited and then never sign in. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const MAX_LENGTH = 254;

/** Why a text can't be the address of a user, or undefined. */
export function emailFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  return value.length <= MAX_LENGTH && ADDRESS.test(value) ? undefined : 'must be an e-mail address';
}
