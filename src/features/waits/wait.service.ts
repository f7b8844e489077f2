import { type RequestContext } from '../../platform/context.js';
import { type Database } from '../../platform/db/database.js';
import {
  type LinkKey,
  linkStatement,
  type LinkStatement,
  loadLinkedPages,
} from '../../platform/db/pages/linked-pages.js';
import { queryOwned } from '../../platform/db/owned-rows.js';
import { COUNT_LIMIT, emptyPage, isFar, type Page, type Span } from '../../platform/db/pages/pagination.js';
import { selectPage } from '../../platform/db/pages/select-page.js';
import { notFound } from '../../platform/errors.js';
import { fromPublicId } from '../../platform/ids/ids.js';
import { latestChange } from '../../platform/changes/latest-change.js';
import { longPoll, type LongPolls } from '../../platform/long-poll.js';
import { type WaitFeed, waitChanges } from './changes/wait-changes.js';
import { type Part, WAIT_COLUMNS } from './wait-columns.js';
import { Wait } from './wait.entity.js';
import { type GetWaitArgs, type WaitFilter } from './wait.inputs.js';

/** The lists that link to waits. */
export type WaitParent = 'run' | 'workflow';

const linkOf = (column: string, part: Part): LinkStatement =>
  linkStatement({
    columns: WAIT_COLUMNS[part],
    from: 'waits w',
    where: `w.${column} = p.parent AND w.account_id = $1 AND (p.status IS NULL OR w.status = p.status)`,
    filters: ['status'],
    id: 'w.id',
    countUpTo: COUNT_LIMIT,
  });
const LINKS: Record<WaitParent, Record<'none' | 'listed', LinkStatement>> = {
  run: { none: linkOf('run_id', 'none'), listed: linkOf('run_id', 'listed') },
  workflow: { none: linkOf('workflow_id', 'none'), listed: linkOf('workflow_id', 'listed') },
};

/** Reads waits: single ones, lists, and links in batches. */
export class WaitService {
  constructor(
    private readonly db: Database,
    private readonly feed: WaitFeed,
    private readonly polls: LongPolls,
  ) {}

  /** The change behind which a listener resumes that has a list. Read it before the list. */
  latestChange({ accountId }: RequestContext): Promise<string> {
    return latestChange(waitChanges, this.db, accountId);
  }

  /** Newest first. A filter with an unknown id matches nothing. */
  async list(
    { accountId }: RequestContext,
    { status, kind, runId, reference }: WaitFilter,
    span: Span,
    { withTotal, answer }: { withTotal: boolean; answer: Part },
  ): Promise<Page<Wait>> {
    const run = runId == null ? null : fromPublicId('run', runId);
    if (run === undefined) return emptyPage(span, 'wait');
    const conditions: string[] = [];
    const values: unknown[] = [];
    const add = (column: string, value: unknown) => conditions.push(`w.${column} = $${values.push(value) + 1}`);
    // Written out, so that the index of pending waits serves them.
    if (status === 'pending') conditions.push(`w.status = 'pending'`);
    else if (status) add('status', status);
    if (kind) add('kind', kind);
    if (run !== null) add('run_id', run);
    if (reference != null) add('reference', reference);
    const isSought = Boolean(kind) || reference != null || (Boolean(status) && status !== 'pending');
    const waits = {
      entity: Wait,
      prefix: 'wait',
      columns: WAIT_COLUMNS[answer],
      from: 'waits w',
      accountId,
      where: conditions.join(' AND '),
      values,
      countUpTo: COUNT_LIMIT,
    } as const;
    const on = isSought || isFar(span) ? this.db.expensive : this.db;
    return selectPage(on, waits, span, withTotal ? this.db.expensive : null);
  }

  /** A page of waits for each of many runs or workflows, with one statement. A key's `filter` is a status. */
  linked(
    { accountId }: RequestContext,
    parent: WaitParent,
    keys: readonly LinkKey[],
    part: 'none' | 'listed',
  ): Promise<Page<Wait>[]> {
    return loadLinkedPages(this.db, Wait, LINKS[parent][part], accountId, keys);
  }

  /**
   * Gets a wait. With `wait` it resolves once the wait is not pending, or after that many seconds.
   * @throws AppError `not_found`, `unauthorized`; `rate_limited` when the key has too many waiting requests.
   */
  async get(context: RequestContext, { id, wait }: GetWaitArgs, answer: Part = 'whole'): Promise<Wait> {
    const read = () => this.read(context, id, answer);
    const found = await read();
    if (!wait || found.status !== 'pending') return found;
    return this.polls.run(context.caller, (ended) =>
      longPoll({
        listen: async (raise) =>
          (await this.feed.listen(context.accountId, ({ waitUuid }) => waitUuid === found.uuid && raise())).detach,
        read,
        isThere: ({ status }) => status !== 'pending',
        milliseconds: wait * 1_000,
        signals: [context.signal, ended],
      }),
    );
  }

  /** Waits in the order of `uuids`; an error for each that no longer exists. */
  async byUuid({ accountId }: RequestContext, uuids: readonly string[], answer: Part): Promise<(Wait | Error)[]> {
    const waits = await this.db.select(
      Wait,
      `SELECT ${WAIT_COLUMNS[answer]} FROM waits w WHERE w.account_id = $1 AND w.id = ANY($2)`,
      [accountId, uuids],
    );
    const found = new Map(waits.map((wait) => [wait.uuid, wait]));
    return uuids.map((uuid) => found.get(uuid) ?? notFound('wait'));
  }

  /** The number of pending waits of all accounts, for monitoring. */
  async countPending(): Promise<number> {
    const [row] = await this.db.query<{ total: number }>(
      `SELECT coalesce(sum(pending), 0)::int AS total FROM wait_counters`,
    );
    return row!.total;
  }

  private read({ accountId }: RequestContext, id: string, answer: Part): Promise<Wait> {
    return queryOwned(this.db, { table: 'waits', accountId, id }, (uuid) =>
      this.db.select(Wait, `SELECT ${WAIT_COLUMNS[answer]} FROM waits w WHERE w.id = $1 AND w.account_id = $2`, [
        uuid,
        accountId,
      ]),
    );
  }
}
