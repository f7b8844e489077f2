import { type Composed, composeMail } from '../../../platform/mail/compose-mail.js';

/** The mail that tells a user about a new passkey, in case another person has added it. */
export function passkeyAddedMail({ name, url }: { name: string; url: string }): Composed {
  return composeMail('A passkey was added', [
    `The passkey “${name}” was added to your user. It signs you in without a password.`,
    'If that was not you, delete it, change your password, and sign out everywhere:',
    { link: url },
  ]);
}
