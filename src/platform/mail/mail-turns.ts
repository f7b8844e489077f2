import { MIN_UUID } from '../ids/ids.js';

/** So many urgent mails in a row let others go first once: urgent ones without an end must not stop all others. */
const URGENT_IN_A_ROW = 20;

/** The turn in which a mail was claimed. */
export interface Taken {
  urgent: boolean;
  accountId: string;
  /** Ascending: the place of the account among those of one claim. */
  turn: number;
}

/**
 * The turns of accounts in the queue of mails, of one process. Urgent mails come first; in each of the two lanes the next
 * turn goes to the account behind the one that had the last turn, so that thousands of mails of an account delay each
 * mail of another by one mail.
 */
export class MailTurns {
  private lastUrgent = MIN_UUID;
  private lastOther = MIN_UUID;
  private urgentInRow = 0;

  /** Whether urgent mails come first in the next claim. */
  get first(): boolean {
    return this.urgentInRow < URGENT_IN_A_ROW;
  }

  /** The account that had the last turn in the lane that comes first, and in the other one. */
  get after(): [string, string] {
    return this.first ? [this.lastUrgent, this.lastOther] : [this.lastOther, this.lastUrgent];
  }

  /** Notes the mails of a claim. */
  note(mails: readonly Taken[]): void {
    const inOrder = mails.toSorted((one, other) => one.turn - other.turn);
    this.lastUrgent = inOrder.findLast(({ urgent }) => urgent)?.accountId ?? this.lastUrgent;
    this.lastOther = inOrder.findLast(({ urgent }) => !urgent)?.accountId ?? this.lastOther;
    if (mails.length === 0) return;
    this.urgentInRow = mails.every(({ urgent }) => urgent) ? this.urgentInRow + mails.length : 0;
  }
}
