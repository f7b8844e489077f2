import { type DataSource } from 'typeorm';
import { graphql, type GraphQLSchema } from 'graphql';
import { AccountService } from '../../src/features/accounts/account.service.js';
import { type ActionInput } from '../../src/features/actions/action.inputs.js';
import { ActionResolver } from '../../src/features/actions/action.resolver.js';
import { ActionService } from '../../src/features/actions/action.service.js';
import { RequestContext } from '../../src/platform/context.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { buildGatewaySchema } from '../../src/transports/graphql/schema.js';
import { newUuid, timeOf, toPublicId } from '../../src/platform/ids/ids.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { type Workflow } from '../../src/features/workflows/workflow.entity.js';
import { WorkflowResolver } from '../../src/features/workflows/workflow.resolver.js';
import { WorkflowService } from '../../src/features/workflows/workflow.service.js';
import { createTestDatabase, type TestDatabase } from './database.js';

/** Workflows and actions on a new database, with two accounts and a clock that only tests move. */
export class ActionWorld {
  readonly clock = { time: new Date('2026-11-21T10:00:00.000Z'), now: () => this.clock.time };
  readonly db: Database;
  readonly workflows: WorkflowService;
  readonly actions: ActionService;
  readonly schema: GraphQLSchema;
  context: RequestContext;
  stranger: RequestContext;

  private constructor(
    private readonly database: TestDatabase,
    private readonly source: DataSource,
  ) {
    this.db = new Database(source);
    this.workflows = new WorkflowService(this.db, this.clock);
    this.actions = new ActionService(this.db, this.clock, new Secrets([Buffer.alloc(32, 7)]));
    this.schema = buildGatewaySchema([new WorkflowResolver(this.workflows), new ActionResolver(this.actions)]);
  }

  static async open(): Promise<ActionWorld> {
    const database = await createTestDatabase();
    const source = createDataSource({ url: database.url, poolSize: 10 }, []);
    await source.initialize();
    const world = new ActionWorld(database, source);
    world.context = await world.account('own');
    world.stranger = await world.account('foreign');
    return world;
  }

  async close(): Promise<void> {
    await this.source.destroy();
    await this.database.drop();
  }

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

  /** The current row of the workflow. */
  async actionsOf({ id }: Pick<Workflow, 'id'>): Promise<unknown[]> {
    const { actionsId } = await this.workflows.get(this.context, id);
    return actionsId === null ? [] : (await this.actions.ofLists(this.context, [actionsId]))[0]!;
  }

  /** The ids of all stored lists of a workflow, oldest first. */
  async lists({ uuid }: Workflow): Promise<string[]> {
    const rows = await this.db.query('SELECT id FROM action_lists WHERE workflow_id = $1 ORDER BY id', [uuid]);
    return rows.map((row) => row.id as string);
  }

  /** Inserts an integration. @returns its public id. */
  async integration({ accountId } = this.context, deletedAt: Date | null = null): Promise<string> {
    const uuid = newUuid(this.clock.now());
    await this.db.query(
      `INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest,
                                 events_token, events_secret, created_at, deleted_at)
       VALUES ($1, $2, 'acme', 'api_key', 'acme', 'connected', 1, '{}', $3, '', '', $4, $5)`,
      [uuid, accountId, Buffer.from(uuid), this.clock.now(), deletedAt],
    );
    return toPublicId('int', uuid);
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

  /** The result of a document, with ordinary prototypes so that it compares. */
  async ask(source: string, variableValues: Record<string, unknown> = {}, caller = this.context.caller) {
    const contextValue = new RequestContext('test', caller);
    const result = await graphql({ schema: this.schema, source, variableValues, contextValue });
    return JSON.parse(JSON.stringify(result)) as { data?: Record<string, any>; errors?: { message: string }[] };
  }

  private async account(name: string): Promise<RequestContext> {
    const accountId = await new AccountService(this.db, this.clock).findOrCreate(this.db, name);
    return new RequestContext('test', { kind: 'key', accountId, keyId: '', scope: 'read-write', expiresAt: null });
  }
}
