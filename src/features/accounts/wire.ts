import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { type MailQueue } from '../../platform/mail/mail-queue.js';
import { AccountMail } from './account-mail.js';
import { AccountResolver } from './account.resolver.js';
import { AccountService } from './account.service.js';

interface Accounts extends Feature {
  service: AccountService;
  /** Lets other features send mail to an account's users. */
  mail: AccountMail;
}

/** Accounts and the mail to their users. */
export function wireAccounts({ config, db, clock }: Platform, { mails }: { mails: MailQueue }): Accounts {
  const service = new AccountService(db, clock);
  return {
    service,
    resolvers: [new AccountResolver(service)],
    nodes: [{ prefix: 'acc', access: 'read', load: (context, ids) => service.byIds(context, ids) }],
    mail: new AccountMail(mails, config.mail.contact),
  };
}
