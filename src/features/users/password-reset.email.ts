import { type Composed, composeMail } from '../../platform/mail/compose-mail.js';

/** The content of the mail with a reset link. */
export interface PasswordResetMail {
  /** The account's name. */
  account: string;
  url: string;
  minutes: number;
}

/** The mail with the link that sets a new password. */
export function passwordResetMail({ account, url, minutes }: PasswordResetMail): Composed {
  return composeMail('Set a new password', [
    `A new password was requested for the user with this address in the account “${account}”. If that was you, open this link:`,
    { link: url },
    `It works once, for ${minutes} minutes, and only the newest one does. If it was not you, ignore this email: nothing has changed.`,
  ]);
}

/** The mail to a user who requested a new password but has none, because they sign in at the OIDC issuer `provider`. */
export function noPasswordMail({ provider, url }: { provider: string; url: string }): Composed {
  return composeMail('You sign in without a password', [
    `A new password was requested for your user. You have none here: you sign in with ${provider}, and reset a lost password there. To sign in:`,
    { link: url },
    'If you did not ask, ignore this email: nothing has changed.',
  ]);
}

/** The mail that tells a user about a new password, in case another person has set it. */
export function passwordWasResetMail({ url }: { url: string }): Composed {
  return composeMail('Your password was changed', [
    'A new password was set for your user through a reset link, and all earlier sessions have ended.',
    'If that was not you, set another one at once, and inform the operator of the service:',
    { link: url },
  ]);
}
