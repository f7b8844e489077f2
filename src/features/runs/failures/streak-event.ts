import { toPublicId } from '../../../platform/ids/ids.js';
import { type WebhookEvent } from '../../webhooks/record-events.js';
import { type Workflow } from '../../workflows/workflow.entity.js';

/** A crossing of the limit, in either direction. */
export interface Crossing {
  type: 'workflow.failing' | 'workflow.recovered';
  failures: number;
  run: string;
}

/** The event of a workflow that fails or has recovered: the workflow in REST's shape, the failures, and the last run. */
export function streakEvent(workflow: Workflow, { type, failures, run }: Crossing): WebhookEvent {
  const { id, name, description, status, createdAt, updatedAt, runCount } = workflow;
  return {
    type,
    accountId: workflow.accountId,
    workflowUuid: workflow.uuid,
    data: {
      id,
      name,
      ...(description !== null && { description }),
      status,
      created_at: createdAt,
      updated_at: updatedAt,
      run_count: runCount,
      failures,
      last_run_id: toPublicId('run', run),
    },
  };
}
