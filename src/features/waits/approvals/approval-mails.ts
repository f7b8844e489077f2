import { type Queryable } from '../../../platform/db/database.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { type Block, composeMail } from '../../../platform/mail/compose-mail.js';
import { type Mail } from '../../../platform/mail/mail-queue.js';
import { type StepMails } from '../../../platform/mail/step-mails.js';
import { type StepError } from '../../actions/step-work.js';
import { type Wait } from '../wait.entity.js';
import { type WaitTokens } from '../wait-tokens.js';

/** Mails each approver a link of their own. The mails count like those of `send_email`. */
export class ApprovalMails {
  constructor(
    private readonly mails: StepMails,
    private readonly tokens: WaitTokens,
  ) {}

  /** Queues the mails of a wait in the transaction that creates it. @returns the error if the account may not send them. */
  async queue(tx: Queryable, wait: Wait): Promise<StepError | undefined> {
    if (wait.approvers === null) return undefined;
    const mails = wait.approvers.map((address, place) => this.mailTo(address, wait, place + 1));
    const refusal = await this.mails.add(tx, wait.accountId, mails);
    return refusal === undefined ? undefined : { code: 'too_many_mails', message: refusal };
  }

  private mailTo(address: string, wait: Wait, approver: number): Mail {
    const { accountId, runUuid, stepIndex: index, title, text } = wait;
    const url = this.tokens.url('approval', { runUuid, index, approver });
    const key = `${toPublicId('run', runUuid)}-${index}-approver-${approver}`;
    return { accountId, to: [address], ...approvalMail({ title: title!, text, url }), key };
  }
}

/** The mail that asks an approver. Opening its link decides nothing. */
function approvalMail({ title, text, url }: { title: string; text: string | null; url: string }) {
  const paragraphs: Block[] = (text ?? '').split(/\n{2,}/).filter((part) => part.trim() !== '');
  return composeMail(`Approval needed: ${title}`, [
    `You are asked to approve: ${title}`,
    ...paragraphs,
    'Open this page to approve or deny it:',
    { link: url },
    'The link is yours alone: the decision is recorded with your address. If you did not expect this mail, ignore it.',
  ]);
}
