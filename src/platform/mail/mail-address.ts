import { isEmail } from 'class-validator';

/** True for an email address; its host may be a name without a dot. */
export function isMailAddress(text: string): boolean {
  // isEmail throws an error for half of a surrogate pair.
  return text.isWellFormed() && isEmail(text, { require_tld: false });
}
