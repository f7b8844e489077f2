import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { type MailQueue } from '../../platform/mail/mail-queue.js';
import { AccountMail } from './account-mail.js';
import { AccountService } from './account.service.js';

interface Accounts extends Feature {
  service: AccountService;
  /** How other features write to an account. */
  mail: AccountMail;
}

/** Who owns everything else. */
export function wireAccounts({ config, db, clock }: Platform, { mails }: { mails: MailQueue }): Accounts {
  return {
    service: new AccountService(db, clock),
    mail: new AccountMail(mails, config.mail.contact),
  };
}
