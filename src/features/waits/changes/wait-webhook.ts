import { type Transaction } from '../../../platform/db/database.js';
import { DataAround, isWanted, recordEvents, type WebhookEvent } from '../../webhooks/record-events.js';
import { type WebhookEventType } from '../../webhooks/webhook-event-type.js';
import { type Wait } from '../wait.entity.js';
import { placeText } from '../wait-urls.js';
import { type WaitMove } from './wait-move.js';

const WANTED = `SELECT n - 1 AS place FROM unnest($1::uuid[], $2::text[], $3::uuid[]) WITH ORDINALITY e (account_id, type, workflow_id, n)
  WHERE ${isWanted('e.account_id', 'e.type', 'e.workflow_id')} ORDER BY n`;

/** Records webhook events for changes of waits. Those of test runs make none. */
export class WaitEvents {
  /** An answer that arrives before its run makes only `wait.answered`. If no webhook wants any, one statement is all. */
  async record(tx: Transaction, now: Date, moves: readonly WaitMove[]): Promise<void> {
    const waits = moves.map(({ wait }) => wait).filter(({ isTest }) => !isTest);
    if (waits.length === 0) return;
    const wanted = await tx.query<{ place: number }>(WANTED, [
      waits.map(({ accountId }) => accountId),
      waits.map(typeOf),
      waits.map(({ workflowUuid }) => workflowUuid),
    ]);
    await recordEvents(
      tx,
      now,
      wanted.map(({ place }) => eventOf(waits[place]!)),
    );
  }
}

/** Its data is the object of `GET /waits/{id}`. The URLs are not stored: they follow `reference` when it is sent or read. */
function eventOf(wait: Wait): WebhookEvent {
  const data = new DataAround(
    {
      id: wait.id,
      kind: wait.kind,
      status: wait.status,
      run_id: wait.runId,
      workflow_id: wait.workflowId,
      step: wait.step,
      title: wait.title,
      integration_type: wait.integrationType,
      reference: wait.reference,
    },
    'answer',
    { text: wait.answerText ?? 'null' },
    {
      answered_by: wait.answeredBy,
      created_at: wait.createdAt,
      expires_at: wait.expiresAt,
      answered_at: wait.answeredAt,
    },
    placeText(wait),
  );
  const { accountId, workflowUuid, hops } = wait;
  return { type: typeOf(wait), accountId, workflowUuid, hops, data };
}

function typeOf({ status }: Wait): WebhookEventType {
  return `wait.${status === 'pending' ? 'created' : status}`;
}
