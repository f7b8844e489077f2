import { type Transaction } from '../../../platform/db/database.js';
import { type ChangePreparer } from '../../integrations/changes/record-change.js';
import { referenceOf } from '../../integrations/connected-by-reference.js';
import { type Integration } from '../../integrations/integration.entity.js';
import { type ConnectionAnswers } from './connection-answers.js';

/** Answers the waits for an integration that is connected and was given a reference, in the caller's transaction. */
export function answerForConnection(answers: ConnectionAnswers) {
  return async (tx: Transaction, { uuid, accountId, type, status, reference }: Integration): Promise<void> => {
    if (status !== 'connected' || reference === null) return;
    const finish = await answers.answer(tx, { integrationUuid: uuid, accountId, type, reference });
    await finish();
  };
}

/**
 * Answers waits with each change by which an integration becomes connected. The runs continue before the change locks
 * the account, and only the numbering of their waits comes after it: connections of one account wait for one another.
 */
export function followConnections(answers: ConnectionAnswers): ChangePreparer {
  return async (tx, uuid, { to, reason }) => {
    const owned = to === 'connected' && reason !== 'deleted' ? await referenceOf(tx, uuid) : undefined;
    return owned && answers.answer(tx, { integrationUuid: uuid, ...owned });
  };
}
