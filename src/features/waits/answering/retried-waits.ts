import { type Database, type Transaction } from '../../../platform/db/database.js';
import { type Action } from '../../actions/action.entity.js';
import { type ActionService } from '../../actions/action.service.js';
import { readsOf } from '../../actions/reads.js';
import { type WaitPurpose } from '../../actions/wait-request.js';
import { newestKeepingStepsOf } from '../../runs/control/kept-steps.js';
import { type Arrival } from '../../runs/execution/run-waits.js';
import { WAIT_COLUMNS } from '../wait-columns.js';
import { type WaitPlace } from '../wait-tokens.js';
import { Wait } from '../wait.entity.js';

/**
 * Finds the wait of a retry behind the URL of an ended run. A retry does not execute the steps that it carries over, so the
 * URL that such a step passed on is the only one that its receiver knows.
 */
export class RetriedWaits {
  constructor(
    private readonly db: Database,
    private readonly actions: Pick<ActionService, 'waitsOf'>,
  ) {}

  /**
   * The place in the newest retry that carried over a step which had passed on the URL. Undefined without one, and for the
   * link of an approver, since each wait mails its own.
   */
  async placeAfter(purpose: WaitPurpose, { runUuid, index, approver }: WaitPlace): Promise<WaitPlace | undefined> {
    if (approver !== 0) return undefined;
    const retry = await newestKeepingStepsOf(this.db, runUuid);
    if (retry === undefined) return undefined;
    const { uuid, accountId, actionsId, formerActionsId, kept } = retry;
    const former = await this.actions.waitsOf(accountId, formerActionsId);
    const name = former?.find((wait) => wait.index === index)?.name;
    const waits = await this.actions.waitsOf(accountId, actionsId);
    const wait = waits?.find((one) => one.name === name && one.purpose === purpose);
    const isKnown = kept.some((step) => step.runUuid === runUuid && wait?.passedOnBy.includes(step.index));
    if (wait === undefined || !isKnown) return undefined;
    // The wait itself may be carried over from a run between the two.
    return { runUuid: kept.find((step) => step.index === wait.index)?.runUuid ?? uuid, index: wait.index, approver };
  }
}

/**
 * The early answers that such URLs took while their own run had not ended, by arrival of a retry: that run never reached
 * its wait. An early denial is left out, so that the retry asks again.
 */
export async function earlyAnswersOf(tx: Transaction, arrivals: readonly Arrival[]): Promise<Map<Arrival, Wait>> {
  const sought = arrivals.flatMap((arrival) => {
    const { actions, steps } = arrival.run;
    const told = steps.filter(
      ({ index, firstRunUuid }) => firstRunUuid !== null && passesOn(actions[index], arrival.step.name),
    );
    return told.map(({ firstRunUuid }) => ({ arrival, runUuid: firstRunUuid!, step: arrival.step.name }));
  });
  if (sought.length === 0) return new Map();
  const waits = await tx.select(
    Wait,
    // A wait that its run has reached has an end.
    `SELECT ${WAIT_COLUMNS.whole} FROM waits w
     WHERE (w.run_id, w.step) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
       AND w.status = 'answered' AND w.expires_at IS NULL AND w.answer->>'decision' IS DISTINCT FROM 'denied'`,
    [sought.map(({ runUuid }) => runUuid), sought.map(({ step }) => step)],
  );
  return new Map(
    sought.flatMap(({ arrival, runUuid, step }) => {
      const wait = waits.find((one) => one.runUuid === runUuid && one.step === step && one.kind === arrival.what.kind);
      return wait === undefined ? [] : [[arrival, wait] as const];
    }),
  );
}

/** Whether an action reads a URL of the wait of this name. */
function passesOn(action: Action | undefined, name: string): boolean {
  return action !== undefined && readsOf(action).placeholders.some(([root, of]) => root === 'waits' && of === name);
}
