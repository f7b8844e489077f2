import { Listeners } from '../../src/platform/admission/listeners.js';
import { type DataSource } from 'typeorm';
import { type GraphQLSchema, graphql } from 'graphql';
import { AccountService } from '../../src/features/accounts/account.service.js';
import { ActionService } from '../../src/features/actions/action.service.js';
import { RequestContext } from '../../src/platform/context.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { buildGatewaySchema } from '../../src/transports/graphql/schema.js';
import { fromPublicId, newUuid, timeOf } from '../../src/platform/ids/ids.js';
import { Notifications } from '../../src/platform/notifications/notifications.js';
import { JobQueues } from '../../src/platform/jobs/job-queue.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { RUN_QUEUE, RunQueue } from '../../src/features/runs/queue/run-queue.js';
import { endRunsWithWorkflow } from '../../src/features/runs/control/deleted-workflows.js';
import { RunFeed } from '../../src/features/runs/feed/run-feed.js';
import { RunResolver } from '../../src/features/runs/run.resolver.js';
import { StepInputs } from '../../src/features/runs/step-inputs.js';
import { StepResolver } from '../../src/features/runs/step.resolver.js';
import { RunService } from '../../src/features/runs/run.service.js';
import { RunWaiting } from '../../src/features/runs/feed/run-waiting.js';
import { WorkflowRunsResolver } from '../../src/features/runs/workflow-runs.resolver.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { type CreateTriggerInput } from '../../src/features/triggers/trigger.inputs.js';
import { TriggerResolver } from '../../src/features/triggers/trigger.resolver.js';
import { armSchedules } from '../../src/features/triggers/schedules/due-triggers.js';
import { TriggerService } from '../../src/features/triggers/trigger.service.js';
import { WorkflowTriggersResolver } from '../../src/features/triggers/workflow-triggers.resolver.js';
import { type Workflow } from '../../src/features/workflows/workflow.entity.js';
import { type WorkflowStatus } from '../../src/features/workflows/workflow-status.js';
import { WorkflowResolver } from '../../src/features/workflows/workflow.resolver.js';
import { WorkflowService } from '../../src/features/workflows/workflow.service.js';
import { LongPolls } from '../../src/platform/long-poll.js';
import { createTestDatabase, type TestDatabase } from './database.js';

export const BASE_URL = 'http://gateway.test';

/** The events of the two applications of these tests. */
const EVENTS: Record<string, string[]> = { acme_crm: ['contact.created', 'deal.won'], other_crm: ['contact.created'] };

/** Workflows, triggers and runs on a new database, with two accounts and a clock that only tests move. */
export class TriggerWorld {
  readonly clock = { time: new Date('2026-11-21T10:00:00.000Z'), now: () => this.clock.time };
  readonly secrets = new Secrets([Buffer.alloc(32, 7)]);
  readonly db: Database;
  readonly workflows: WorkflowService;
  readonly triggers: TriggerService;
  readonly runs: RunService;
  readonly schema: GraphQLSchema;
  readonly queue: RunQueue;
  context: RequestContext;
  stranger: RequestContext;

  private constructor(
    private readonly database: TestDatabase,
    private readonly source: DataSource,
    private readonly queues: JobQueues,
  ) {
    this.db = new Database(source);
    const logger = createLogger('silent');
    const notifications = new Notifications(database.url, logger);
    this.queue = new RunQueue(queues, notifications, this.db, this.clock);
    const endings = { before: [], after: [endRunsWithWorkflow(notifications)] };
    this.workflows = new WorkflowService(this.db, this.clock, endings, armSchedules);
    this.triggers = new TriggerService(this.db, this.clock, this.secrets, {
      baseUrl: BASE_URL,
      events: {
        typesOffering: (event) => Object.keys(EVENTS).filter((type) => EVENTS[type]!.includes(event)),
        eventsOf: (type) => EVENTS[type] ?? [],
      },
    });
    this.runs = new RunService(this.db);
    const feed = new RunFeed(this.db, this.clock, notifications, this.queue, logger);
    this.schema = buildGatewaySchema([
      new WorkflowResolver(this.workflows),
      new TriggerResolver(this.triggers, this.workflows),
      new WorkflowTriggersResolver(this.triggers),
      new RunResolver(this.runs, new RunWaiting(this.runs, feed, new LongPolls(new Listeners()))),
      new WorkflowRunsResolver(this.runs),
      new StepResolver(new StepInputs(this.db, this.runs, new ActionService(this.db, this.clock, this.secrets))),
    ]);
  }

  static async open(): Promise<TriggerWorld> {
    const database = await createTestDatabase();
    const source = createDataSource({ url: database.url, poolSize: 10 }, []);
    await source.initialize();
    const queues = new JobQueues(database.url, [RUN_QUEUE], createLogger('silent'), { isWorker: false });
    await queues.start();
    const world = new TriggerWorld(database, source, queues);
    world.context = await world.account('own');
    world.stranger = await world.account('foreign');
    return world;
  }

  get url(): string {
    return this.database.url;
  }

  async close(): Promise<void> {
    await this.queues.stop();
    await this.source.destroy();
    await this.database.drop();
  }

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
  async integration(type: string, status: string, { accountId } = this.context): Promise<string> {
    const uuid = newUuid(this.clock.now());
    await this.db.query(
      `INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest,
                                 events_token, events_secret, created_at)
       VALUES ($1, $2, $3, 'api_key', $3, $4, 1, '{}', $5, '', '', $6)`,
      [uuid, accountId, type, status, Buffer.from(uuid), this.clock.now()],
    );
    return uuid;
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
    const context = new RequestContext('test', this.context.caller);
    const { data, errors } = await graphql({ schema: this.schema, source, variableValues, contextValue: context });
    if (errors?.[0]) throw errors[0].originalError ?? errors[0];
    // Objects without null prototypes, so that they compare with literals.
    return JSON.parse(JSON.stringify(data)) as T;
  }

  private async account(name: string): Promise<RequestContext> {
    const accountId = await new AccountService(this.db, this.clock).findOrCreate(this.db, name);
    return new RequestContext('test', { kind: 'key', accountId, keyId: '', scope: 'read-write', expiresAt: null });
  }
}

/** The uuid of a well-formed public id. */
export function uuidIn(prefix: Parameters<typeof fromPublicId>[0], id: string): string {
  return fromPublicId(prefix, id)!;
}
