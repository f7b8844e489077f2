import { type GraphQLSchema, graphql } from 'graphql';
import { AccountMail } from '../../../src/features/accounts/account-mail.js';
import { AccountService } from '../../../src/features/accounts/account.service.js';
import { wireActions } from '../../../src/features/actions/wire.js';
import { endRunsWithWorkflow, lockOpenRuns } from '../../../src/features/runs/control/deleted-workflows.js';
import { RunQueue } from '../../../src/features/runs/queue/run-queue.js';
import { wireRuns } from '../../../src/features/runs/wire.js';
import { recordDeletedTriggers } from '../../../src/features/triggers/changes/record-deleted-triggers.js';
import { armSchedules } from '../../../src/features/triggers/schedules/arm-schedules.js';
import { wireTriggerRuns, wireTriggers } from '../../../src/features/triggers/wire.js';
import { wireWaitStore } from '../../../src/features/waits/wire.js';
import { wireWorkflows } from '../../../src/features/workflows/wire.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { RequestContext } from '../../../src/platform/context.js';
import { gather } from '../../../src/platform/feature.js';
import { newUuid } from '../../../src/platform/ids/ids.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { LongPolls } from '../../../src/platform/long-poll.js';
import { wireMail } from '../../../src/platform/mail/wire.js';
import { type Platform } from '../../../src/platform/platform.js';
import { openPlatform } from '../../../src/process/open-platform.js';
import { buildGatewaySchema } from '../../../src/transports/graphql/schema.js';
import { createTestDatabase } from '../database/database.js';

export const BASE_URL = 'http://gateway.test';

/** The events of the two applications of these tests. */
const EVENTS: Record<string, string[]> = { acme_crm: ['contact.created', 'deal.won'], other_crm: ['contact.created'] };

/** A clock that only tests move. */
class SetClock {
  time = new Date('2026-11-21T10:00:00.000Z');
  readonly now = () => this.time;
}

/** Workflows, actions, triggers and runs as their features wire them. */
function wireServices(platform: Platform) {
  const { db, clock, notifications, queues } = platform;
  const queue = new RunQueue(queues, notifications, db, clock);
  const mails = wireMail(platform).ofSteps;
  const waits = wireWaitStore(platform, { queue, mails });
  const after = [endRunsWithWorkflow(notifications, waits.ofRuns)];
  const endings = { before: [lockOpenRuns, recordDeletedTriggers], after };
  const workflows = wireWorkflows(platform, { endings, followStatus: armSchedules });
  const actions = wireActions(platform, { offersType: (type) => type in EVENTS });
  const events = {
    typesOffering: (event: string) => Object.keys(EVENTS).filter((type) => EVENTS[type]!.includes(event)),
    eventsOf: (type: string) => EVENTS[type] ?? [],
  };
  const triggers = wireTriggers(platform, { workflows: workflows.service, actions: actions.service, events });
  const runs = wireRuns(platform, {
    workflows: workflows.service,
    actions: actions.service,
    applications: { offersType: () => true, call: () => Promise.reject(new Error('No worker runs here.')) },
    queue,
    mails,
    accountMail: new AccountMail(wireMail(platform).queue, undefined),
    polls: new LongPolls(platform.listeners, { watch: () => () => undefined }),
    waits: waits.ofRuns,
    waitUrls: (purpose, place) => waits.tokens.url(purpose, place),
  });
  return {
    ...gather([workflows, actions, triggers, runs, wireTriggerRuns({ runs: runs.service })]),
    workflows,
    actions,
    triggers,
    runs,
    queue,
  };
}

type Services = ReturnType<typeof wireServices>;

/** The services on a new database, without transports and workers, with two accounts. */
export class ServiceWorld {
  context: RequestContext;
  stranger: RequestContext;
  readonly db: Platform['db'];
  readonly secrets: Platform['secrets'];
  readonly workflows: Services['workflows']['service'];
  readonly actions: Services['actions']['service'];
  readonly triggers: Services['triggers']['service'];
  readonly runs: Services['runs']['service'];
  readonly queue: RunQueue;
  private schema: GraphQLSchema | undefined;

  constructor(
    readonly url: string,
    readonly clock: SetClock,
    platform: Platform,
    private readonly features: Services,
    readonly close: () => Promise<void>,
  ) {
    ({ db: this.db, secrets: this.secrets } = platform);
    this.workflows = features.workflows.service;
    this.actions = features.actions.service;
    this.triggers = features.triggers.service;
    this.runs = features.runs.service;
    this.queue = features.queue;
  }

  static async open<T extends ServiceWorld>(this: new (...parts: ConstructorParameters<typeof ServiceWorld>) => T) {
    const { url, drop } = await createTestDatabase();
    const steps: (() => unknown)[] = [drop];
    const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
    const loaded = loadConfig({ DATABASE_URL: url, ENCRYPTION_KEY, BASE_URL, ROLES: 'api' });
    const [clock, logger] = [new SetClock(), createLogger('silent')];
    const platform = await openPlatform(loaded, { clock, logger }, (step) => steps.push(step));
    const services = wireServices(platform);
    steps.push(() => services.stop());
    const world = new this(url, clock, platform, services, async () => {
      for (const step of steps.reverse()) await step();
    });
    world.context = await world.account('own');
    world.stranger = await world.account('foreign');
    return world;
  }

  /** The result of a document, with ordinary prototypes so that it compares. */
  async execute(source: string, variableValues: Record<string, unknown> = {}, caller = this.context.caller) {
    const schema = (this.schema ??= buildGatewaySchema(this.features.resolvers));
    const contextValue = new RequestContext('test', caller);
    const result = await graphql({ schema, source, variableValues, contextValue });
    return { ...result, data: JSON.parse(JSON.stringify(result.data ?? null)) as Record<string, any> | null };
  }

  /** Inserts an integration. @returns its uuid. */
  protected async insertIntegration(
    { accountId }: RequestContext,
    type: string,
    status: string,
    deletedAt: Date | null = null,
  ): Promise<string> {
    const uuid = newUuid(this.clock.now());
    await this.db.query(
      `INSERT INTO integrations (id, account_id, type, auth, name, status, version, parameters, events_digest,
                                 events_token, events_secret, created_at, deleted_at)
       VALUES ($1, $2, $3, 'api_key', $3, $4, 1, '{}', $5, '', '', $6, $7)`,
      [uuid, accountId, type, status, Buffer.from(uuid), this.clock.now(), deletedAt],
    );
    return uuid;
  }

  private async account(name: string): Promise<RequestContext> {
    const accountId = await new AccountService(this.db, this.clock).findOrCreate(this.db, name);
    return new RequestContext('test', { kind: 'key', accountId, keyId: '', scope: 'read-write', expiresAt: null });
  }
}
