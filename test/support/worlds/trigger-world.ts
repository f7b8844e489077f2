import { fromPublicId, newUuid, timeOf } from '../../../src/platform/ids/ids.js';
import { type Trigger } from '../../../src/features/triggers/trigger.entity.js';
import { type CreateTriggerInput } from '../../../src/features/triggers/trigger.inputs.js';
import { type Workflow } from '../../../src/features/workflows/workflow.entity.js';
import { type WorkflowStatus } from '../../../src/features/workflows/workflow-status.js';
import { ServiceWorld } from './service-world.js';

export { BASE_URL } from './service-world.js';

/** Workflows with triggers and runs. */
export class TriggerWorld extends ServiceWorld {
  async workflow(status: WorkflowStatus = 'active', context = this.context): Promise<Workflow> {
    const workflow = await this.workflows.create(context, { name: 'Flow', status: 'draft' });
    return this.workflows.update(context, workflow.id, { status });
  }

  /** Creates a trigger, by default on a new active workflow. */
  async trigger(input: Partial<CreateTriggerInput> = {}, context = this.context): Promise<Trigger> {
    const workflowId = input.workflowId ?? (await this.workflow('active', context)).id;
    return this.triggers.create(context, { type: 'webhook', ...input, workflowId });
  }

  /** Inserts an integration. @returns its uuid. */
  integration(type: string, status: string, context = this.context): Promise<string> {
    return this.insertIntegration(context, type, status);
  }

  /** Inserts a run as after a firing. @returns its uuid. */
  async run(trigger: Trigger, columns: { status?: string; at?: Date } = {}): Promise<string> {
    const uuid = newUuid(columns.at ?? this.clock.now());
    await this.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_id, trigger_type, status, input, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'null', $7)`,
      [
        uuid,
        trigger.accountId,
        trigger.workflowUuid,
        trigger.uuid,
        trigger.type,
        columns.status ?? 'queued',
        timeOf(uuid),
      ],
    );
    return uuid;
  }

  /** Executes a document. @returns its data. @throws the first error. */
  async ask<T>(source: string, variableValues: Record<string, unknown> = {}): Promise<T> {
    const { data, errors } = await this.execute(source, variableValues);
    if (errors?.[0]) throw errors[0].originalError ?? errors[0];
    return data as T;
  }
}

/** The uuid of a well-formed public id. */
export function uuidIn(prefix: Parameters<typeof fromPublicId>[0], id: string): string {
  return fromPublicId(prefix, id)!;
}
