/** The addresses that the sign-in library accepts: with any other, an invited person could never sign in. */
const ADDRESS = /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const MAX_LENGTH = 254;

/** Why a value can't be the email address of a user; undefined if it can. */
export function emailFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  return value.length <= MAX_LENGTH && ADDRESS.test(value) ? undefined : 'must be an email address';
}
