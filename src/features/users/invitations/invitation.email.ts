import { type Composed, composeMail } from '../../../platform/mail/compose-mail.js';

/** The content of an invitation mail. */
export interface InvitationMail {
  accountName: string;
  /** The name of the user who invites. */
  inviter: string;
  url: string;
  days: number;
}

/** The mail with the link of an invitation. */
export function invitationMail({ accountName, inviter, url, days }: InvitationMail): Composed {
  return composeMail(`${inviter} invites you to “${accountName}”`, [
    `${inviter} invites you to the workflow account “${accountName}”. To choose a password and sign in, open this link:`,
    { link: url },
    `It works once, for ${days} days. It proves that this address is yours, so keep it to yourself. If you did not expect it, ignore this email: you join no account unless you choose to.`,
  ]);
}
