import { type ActionInput } from '../../../src/features/actions/action.inputs.js';
import { type Workflow } from '../../../src/features/workflows/workflow.entity.js';
import { newUuid, timeOf, toPublicId } from '../../../src/platform/ids/ids.js';
import { ServiceWorld } from './service-world.js';

/** Workflows with actions. */
export class ActionWorld extends ServiceWorld {
  workflow(context = this.context): Promise<Workflow> {
    return this.workflows.create(context, { name: 'Flow', status: 'draft' });
  }

  set(
    workflow: Pick<Workflow, 'id'>,
    actions: ActionInput[],
    context = this.context,
    expected?: string,
  ): Promise<Workflow> {
    return this.actions.set(context, workflow.id, actions, expected);
  }

  /** The current actions of the workflow, as a response has them. */
  async actionsOf({ id }: Pick<Workflow, 'id'>): Promise<unknown[]> {
    const { actionsId } = await this.workflows.get(this.context, id);
    return actionsId === null ? [] : this.listOf(actionsId);
  }

  /** The actions of a list, as a response has them. */
  async listOf(id: string): Promise<unknown[]> {
    return JSON.parse(JSON.stringify((await this.actions.ofLists(this.context, [id]))[0])) as unknown[];
  }

  /** The ids of all stored lists of a workflow, oldest first. */
  async lists({ uuid }: Workflow): Promise<string[]> {
    const rows = await this.db.query('SELECT id FROM action_lists WHERE workflow_id = $1 ORDER BY id', [uuid]);
    return rows.map((row) => row.id as string);
  }

  /** Inserts an integration. @returns its public id. */
  async integration(context = this.context, deletedAt: Date | null = null): Promise<string> {
    return toPublicId('int', await this.insertIntegration(context, 'acme', 'connected', deletedAt));
  }

  /** Inserts a run that references the workflow's current list. */
  async run({ accountId, uuid, actionsId }: Workflow): Promise<void> {
    const id = newUuid(this.clock.now());
    await this.db.query(
      `INSERT INTO runs (id, account_id, workflow_id, trigger_type, status, actions_id, created_at)
       VALUES ($1, $2, $3, 'manual', 'succeeded', $4, $5)`,
      [id, accountId, uuid, actionsId, timeOf(id)],
    );
  }
}
