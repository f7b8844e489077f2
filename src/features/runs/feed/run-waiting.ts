import { type RequestContext } from '../../../platform/context.js';
import { longPoll, type LongPolls } from '../../../platform/long-poll.js';
import { type RunFeed } from './run-feed.js';
import { type Part } from '../run-columns.js';
import { isFinished } from '../run-status.js';
import { type Run } from '../run.entity.js';
import { type GetRunArgs } from '../run.inputs.js';
import { type RunService } from '../run.service.js';

/** Long polling: holds responses until a run has ended. */
export class RunWaiting {
  constructor(
    private readonly runs: RunService,
    private readonly feed: RunFeed,
    private readonly waits: LongPolls,
  ) {}

  /**
   * Gets a run. With `wait` it resolves when the run has ended or after that many seconds. Waiting holds no database
   * connection. @throws AppError `not_found`, `unauthorized`; `rate_limited` when the key has too many waiting
   * requests.
   */
  async get(context: RequestContext, { id, wait }: GetRunArgs, input: Part): Promise<Run> {
    const run = await this.runs.get(context, id, input);
    if (!wait || isFinished(run.status)) return run;
    return this.waits.run(context.caller, (ended) =>
      longPoll({
        listen: (ring) => this.feed.listen('run', run.uuid, { accountId: context.accountId, tell: ring, lose: ring }),
        read: () => this.runs.get(context, id, input),
        isThere: ({ status }) => isFinished(status),
        milliseconds: wait * 1_000,
        signals: [context.signal, ended],
      }),
    );
  }
}
