import { isMailAddress } from './mail-address.js';

/** A control character (C0, DEL, C1): a line break would start a new header. */
const CONTROL = /\p{Cc}/u;

/** Why a mail's recipients or subject cannot become headers; undefined when they can. */
export function mailFault({ to, subject }: { to: readonly string[]; subject: string }): string | undefined {
  if (CONTROL.test(subject)) return 'The subject holds a line break or another control character.';
  const bad = to.find((address) => CONTROL.test(address) || !isMailAddress(address));
  return bad === undefined ? undefined : 'A recipient is not an email address.';
}

/** A text in one line, for subjects: control characters and runs of whitespace become one space. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
