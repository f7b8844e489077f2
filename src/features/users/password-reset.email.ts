import { type Composed, composeMail } from '../../platform/mail/compose-mail.js';

/** What the mail with a reset link says. */
export interface PasswordResetMail {
  /** The account's name. */
  account: string;
  url: string;
  minutes: number;
}

/** The mail with the link that sets a new password. */
export function passwordResetMail({ account, url, minutes }: PasswordResetMail): Composed {
  return composeMail('Set a new password', [
    `A new password was asked for, for the user with this address in the account “${account}”. If that was you, open this link:`,
    { link: url },
    `It works once, for ${minutes} minutes, and only the newest one does. If it was not you, ignore this mail: nothing has changed.`,
  ]);
}

/** Answers who asked for a new password and has none, because they sign in at the issuer of OIDC, called `provider`. */
export function noPasswordMail({ provider, url }: { provider: string; url: string }): Composed {
  return composeMail('You sign in without a password', [
    `Somebody asked for a new password for your user. You have none here: you sign in with ${provider}, and a password that is lost is reset there. To sign in:`,
    { link: url },
    'If you did not ask, ignore this mail: nothing has changed.',
  ]);
}

/** Tells a user that a link has set a new password, in case it was somebody else. */
export function passwordWasResetMail({ url }: { url: string }): Composed {
  return composeMail('Your password was changed', [
    'A new password was set for your user by a link, and all sessions from before have ended.',
    'If that was not you, set another one at once, and tell whoever runs the service:',
    { link: url },
  ]);
}
