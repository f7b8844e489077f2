import { type Listeners } from '../../../platform/admission/listeners.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database, type Queryable } from '../../../platform/db/database.js';
import { findOwned, notFoundOrForeign } from '../../../platform/db/owned-rows.js';
import { validationError, namingField } from '../../../platform/errors.js';
import { type Clock } from '../../../platform/clock.js';
import { readPatiently } from '../../../platform/db/patient-read.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { changesOf, type RunStatusChange } from './run-change.js';
import { type RunFeed } from './run-feed.js';
import { type FeedScope } from './run-followers.js';
import { missedChanges } from './missed-changes.js';
import { ReadChanges } from './read-changes.js';
import { COMMITTED_WITHIN_MS, positionOf } from './run-positions.js';
import { RunStream } from './run-stream.js';
import { type RunService } from '../run.service.js';

/** The rows that all resuming listeners of a process may hold together, and one of them at least and at most. */
const HELD = { together: 20_000, least: 10, most: 200 };

type Changes = AsyncIterableIterator<RunStatusChange>;

/** The arguments of the subscription; its description explains them. */
export interface WantedRuns {
  workflowId?: string | null;
  runId?: string | null;
  after?: string | null;
}

/** Streams of run changes. A listener is attached before the first read, so that no change is missed in between. */
export class RunSubscriptions {
  private resuming = 0;
  private readonly read = new ReadChanges();

  constructor(
    private readonly db: Database,
    private readonly runs: RunService,
    private readonly feed: RunFeed,
    private readonly listeners: Listeners,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError `not_found`, `unauthorized`, `validation_error`; `unavailable` when the stream can't start now.
   */
  async changes(context: RequestContext, { runId, workflowId, after }: WantedRuns): Promise<Changes> {
    if (typeof runId === 'string') {
      if (typeof after === 'string') {
        throw validationError({
          field: 'after',
          message: 'cannot be combined with runId, which starts with its latest change',
        });
      }
      return this.ofRun(context, runId, workflowId);
    }
    const workflowUuid = typeof workflowId === 'string' ? await this.workflow(context, workflowId) : null;
    return typeof after === 'string' ? this.behind(context, workflowUuid, after) : this.fromNow(context, workflowUuid);
  }

  /** The latest change at once, then each further one until the run has ended. */
  private async ofRun(context: RequestContext, id: string, workflowId?: string | null): Promise<Changes> {
    const uuid = fromPublicId('run', id);
    if (uuid === undefined) throw await notFoundOrForeign(this.db, 'runs', uuid, context.accountId);
    const stream = this.open(context, 'run', uuid);
    try {
      const run = await this.runs.get(context, id, 'none');
      if (typeof workflowId === 'string' && workflowId !== run.workflowId) {
        throw await this.notItsWorkflow(context, workflowId);
      }
      stream.begin(changesOf(run).at(-1));
      return stream.changes;
    } catch (error) {
      await stream.changes.return();
      throw error;
    }
  }

  /** Each change from now on. */
  private fromNow(context: RequestContext, workflowUuid: string | null): Changes {
    const stream = this.openWide(context, workflowUuid);
    stream.begin();
    return stream.changes;
  }

  /** Each change behind the one with this id, and perhaps some that were made at the same time. */
  private async behind(context: RequestContext, workflowUuid: string | null, id: string): Promise<Changes> {
    const { accountId } = context;
    const position = await namingField('after', positionOf(this.db, accountId, id, this.clock.now()));
    const stream = this.openWide(context, workflowUuid, position.at - COMMITTED_WITHIN_MS);
    const query: Queryable['query'] = (text, values) =>
      readPatiently(
        () => this.db.query(text, values),
        () => stream.changes.isEnded,
      );
    this.resuming += 1;
    const wanted = { accountId, workflowUuid };
    void stream
      .resume((from) => missedChanges({ query }, wanted, from, () => this.share()), position)
      .finally(() => (this.resuming -= 1));
    return stream.changes;
  }

  /** How many rows a resuming listener may hold now. */
  private share(): number {
    const { together, least, most } = HELD;
    return Math.min(most, Math.max(least, Math.floor(together / this.resuming)));
  }

  private async workflow({ accountId }: RequestContext, id: string): Promise<string> {
    const row = { table: 'workflows', accountId, id } as const;
    return (await findOwned<{ uuid: string }>(this.db, row, 'id AS uuid')).uuid;
  }

  private async notItsWorkflow(context: RequestContext, workflowId: string): Promise<Error> {
    await this.workflow(context, workflowId);
    return validationError({ field: 'workflowId', message: 'is not the workflow of the run' });
  }

  private openWide(context: RequestContext, workflowUuid: string | null, since?: number): RunStream {
    return workflowUuid === null
      ? this.open(context, 'account', context.accountId, since)
      : this.open(context, 'workflow', workflowUuid, since);
  }

  private open(context: RequestContext, scope: FeedScope, uuid: string, since?: number): RunStream {
    const { accountId, onSlowReader } = context;
    return new RunStream((listener) => this.feed.listen(scope, uuid, { ...listener, accountId }, since), {
      ends: scope === 'run',
      onSlowReader,
      waiting: () => this.listeners.waitingOf(accountId),
      missed: () => this.share(),
      read: this.read,
    });
  }
}
