import { type Listeners } from '../../../platform/admission/listeners.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { findOwned, notFoundOrForeign } from '../../../platform/db/owned-rows.js';
import { validationError } from '../../../platform/errors.js';
import { BoundedQueue } from '../../../platform/notifications/bounded-queue.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { changesOf, type RunStatusChange } from './run-change.js';
import { type FeedScope, type RunFeed, type RunListener } from './run-feed.js';
import { isFinished } from '../run-status.js';
import { type RunService } from '../run.service.js';

type Changes = AsyncIterableIterator<RunStatusChange>;

/** The arguments of the subscription; its description explains them. */
export interface WantedRuns {
  workflowId?: string | null;
  runId?: string | null;
}

/** Streams of run changes. A listener is attached before the first read, so that no change is missed in between. */
export class RunSubscriptions {
  constructor(
    private readonly db: Database,
    private readonly runs: RunService,
    private readonly feed: RunFeed,
    private readonly listeners: Listeners,
  ) {}

  /**
   * @throws AppError `not_found`, `unauthorized`, `validation_error`; `unavailable` when the stream can't start now.
   */
  async changes(context: RequestContext, wanted: WantedRuns): Promise<Changes> {
    if (typeof wanted.runId === 'string') return this.ofRun(context, wanted.runId, wanted.workflowId);
    if (typeof wanted.workflowId === 'string') return this.ofWorkflow(context, wanted.workflowId);
    const stream = this.open(context, 'account', context.accountId);
    stream.begin();
    return stream.changes;
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

  private async ofWorkflow(context: RequestContext, id: string): Promise<Changes> {
    const uuid = await this.workflow(context, id);
    const stream = this.open(context, 'workflow', uuid);
    stream.begin();
    return stream.changes;
  }

  private async workflow({ accountId }: RequestContext, id: string): Promise<string> {
    const row = { table: 'workflows', accountId, id } as const;
    return (await findOwned<{ uuid: string }>(this.db, row, 'id AS uuid')).uuid;
  }

  private async notItsWorkflow(context: RequestContext, workflowId: string): Promise<Error> {
    await this.workflow(context, workflowId);
    return validationError({ field: 'workflowId', message: 'is not the workflow of the run' });
  }

  private open(context: RequestContext, scope: FeedScope, uuid: string): RunStream {
    return new RunStream((listener) => this.feed.listen(scope, uuid, listener), {
      ends: scope === 'run',
      onSlowReader: context.onSlowReader,
      waiting: () => this.listeners.waitingOf(context.accountId),
    });
  }
}

/** The changes for one listener. Changes received before `begin` wait. */
class RunStream {
  readonly changes: BoundedQueue<RunStatusChange>;
  private early: RunStatusChange[] | undefined = [];
  private version = 0;

  constructor(
    listen: (listener: RunListener) => () => void,
    private readonly options: { ends: boolean; onSlowReader: () => void; waiting: () => number },
  ) {
    const detach = listen({ tell: (change) => this.hear(change), lose: () => this.lose() });
    this.changes = new BoundedQueue(detach, options.waiting);
  }

  /** @param latest is delivered first; earlier changes of the same run are dropped. */
  begin(latest?: RunStatusChange): void {
    const early = this.early ?? [];
    this.early = undefined;
    if (latest !== undefined) this.hear(latest);
    for (const change of early) this.hear(change);
  }

  private hear(change: RunStatusChange): void {
    if (this.early !== undefined) {
      this.early.push(change);
      return;
    }
    if (this.options.ends && change.version <= this.version) return;
    this.version = change.version;
    if (!this.changes.push(change)) this.lose();
    else if (this.options.ends && isFinished(change.status)) this.changes.end();
  }

  /** Ends a stream that lost changes: its client subscribes again. */
  private lose(): void {
    this.options.onSlowReader();
    void this.changes.return();
  }
}
