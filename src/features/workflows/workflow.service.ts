import { auditParameter } from '../audit-log/record-audit.js';
import { type StoredBytes, unlimitedBytes } from '../../platform/admission/daily/stored-bytes.js';
import { type Clock } from '../../platform/clock.js';
import { type Database, type Queryable, type Transaction } from '../../platform/db/database.js';
import { BatchedReads } from '../../platform/db/batched-reads.js';
import { findOwned, notFoundOrForeign, queryOwned } from '../../platform/db/owned-rows.js';
import { demandVersion } from '../../platform/entity-tag.js';
import {
  isFar,
  limitOf,
  offsetOf,
  orderOf,
  type Page,
  placesOf,
  type Span,
} from '../../platform/db/pages/pagination.js';
import { type RequestContext } from '../../platform/context.js';
import { fromPublicId, newUuid, timeOf, toPublicId } from '../../platform/ids/ids.js';
import { type WorkflowStatus } from './workflow-status.js';
import { Workflow } from './workflow.entity.js';
import { CHANGE, COLUMNS, CREATE, DELETE } from './workflow.statements.js';
import { type CreateWorkflowInput, type UpdateWorkflowInput, type WorkflowFilter } from './workflow.inputs.js';
import { createdBody, ToldWorkflow, workflowEventBytes } from './workflow-webhook.js';
import { addTotals, anySlot } from './workflow-totals.js';
import { searchWorkflows } from './search-workflows.js';
import { toTotaledPage, WorkflowOfPage } from './workflow-page.js';

/** The failures in a row before a notice, unless a client sets another number. */
const NOTICE_AFTER = 3;

class ChangedWorkflow extends ToldWorkflow {
  oldStatus: WorkflowStatus;
}

/** What a feature does in the transaction that deletes a workflow. */
export type WorkflowEnding = (tx: Transaction, now: Date, workflow: string, by: Deleter) => Promise<void>;

/** The account whose request deletes a workflow, and how many runs in a row led to the request. */
export type Deleter = Pick<RequestContext, 'accountId' | 'hops'>;

/** Called before and after the row is deleted. Before, the workflow may still turn out to be another account's. */
export interface WorkflowEndings {
  before: readonly WorkflowEnding[];
  after: readonly WorkflowEnding[];
}

/**
 * Called in the transaction that activates a workflow (`activeSince`: the time of it) or makes it inactive (null), when
 * the row is already written and locked.
 */
export type StatusFollower = (tx: Transaction, workflow: string, activeSince: Date | null) => Promise<void>;

/** A workflow with the position, from 1, of the id that asked for it. */
class WorkflowAsked extends Workflow {
  place: number;
}

/** The id of a workflow, and the account that asks for it. */
interface OwnedId {
  uuid: string;
  accountId: string;
}

/** Reads and changes workflows, and keeps their totals. */
export class WorkflowService {
  private readonly reads: BatchedReads<OwnedId, Workflow>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly endings: WorkflowEndings = { before: [], after: [] },
    private readonly followStatus: StatusFollower = () => Promise.resolve(),
    private readonly stored: StoredBytes = unlimitedBytes(clock),
  ) {
    this.reads = new BatchedReads(db, (ids) => this.owned(ids));
  }

  /** Newest first. One statement reads page and total, for any size of account; see docs/performance.md. */
  async list(context: RequestContext, { status, search }: WorkflowFilter, span: Span): Promise<Page<Workflow>> {
    const { accountId } = context;
    if (search) return searchWorkflows(this.db, context, { status, search }, span);
    const filter = status ? { where: 'AND status = $6', values: [status] } : { where: '', values: [] };
    const on = isFar(span) ? this.db.expensive : this.db;
    const { after, before } = placesOf(span, 'wf');
    const rows = await on.select(
      WorkflowOfPage,
      `SELECT t.total, p.* FROM (
         SELECT coalesce(sum(total), 0)::bigint AS total FROM workflow_totals WHERE account_id = $1 ${filter.where}) t
       LEFT JOIN LATERAL (
         SELECT ${COLUMNS} FROM workflows w WHERE account_id = $1 ${filter.where} AND id < $4 AND id > $5
         ORDER BY id ${orderOf(span)} LIMIT $2 OFFSET $3
       ) p ON true`,
      [accountId, limitOf(span), offsetOf(span), after, before, ...filter.values],
    );
    return toTotaledPage(rows, span);
  }

  /** @throws AppError `not_found`, or `unauthorized` if it belongs to another account. */
  get({ accountId }: RequestContext, id: string): Promise<Workflow> {
    return queryOwned(this.db, { table: 'workflows', accountId, id }, async (uuid) => [
      await this.reads.load({ uuid, accountId }),
    ]);
  }

  /** `tx`: the transaction of which it is a part; without one it has its own. */
  async create({ accountId, hops }: RequestContext, input: CreateWorkflowInput, tx?: Transaction): Promise<Workflow> {
    const now = this.clock.now();
    const uuid = newUuid(now);
    const { name, status } = input;
    const description = input.description || null;
    const failureNoticeAfter = input.failureNoticeAfter === undefined ? NOTICE_AFTER : input.failureNoticeAfter;
    const createdAt = timeOf(uuid);
    const values = [
      uuid,
      accountId,
      name,
      description,
      status,
      createdAt,
      anySlot(),
      newUuid(now),
      createdBody({ id: toPublicId('wf', uuid), name, description, status, createdAt }),
      hops,
      failureNoticeAfter,
      auditParameter(now),
    ];
    const [workflow] = await (tx ?? this.db).select(ToldWorkflow, CREATE, values);
    return this.counted(workflow!);
  }

  /**
   * Changes the given fields. `updated_at` changes if any is given, even with the same value. @throws AppError
   * `precondition_failed` if it is no longer of the expected version; `rate_limited` for more than a status of a full account.
   */
  async update(
    context: RequestContext,
    id: string,
    input: UpdateWorkflowInput,
    expectedVersion?: string | null,
  ): Promise<Workflow> {
    const { status, ...rest } = input;
    const hasOthers = Object.values<unknown>(rest).some((value) => value !== undefined);
    if (status === undefined && !hasOthers) {
      const workflow = await this.get(context, id);
      demandVersion(expectedVersion, workflow);
      return workflow;
    }
    // A status may pause the workflow of an account that is full; the other fields are as long as a user writes them.
    if (hasOthers) await this.stored.demandRoom(context.accountId);
    const uuid = fromPublicId('wf', id);
    if (uuid === undefined) throw await notFoundOrForeign(this.db, 'workflows', uuid, context.accountId);
    return status === undefined && expectedVersion == null
      ? this.write(this.db, context, uuid, input)
      : this.db.transaction(async (tx) => {
          if (expectedVersion != null) {
            const row = { table: 'workflows', accountId: context.accountId, id, lock: 'FOR NO KEY UPDATE' } as const;
            demandVersion(expectedVersion, await findOwned(tx, row, Workflow));
          }
          const workflow = await this.write(tx, context, uuid, input);
          const isActive = workflow.status === 'active';
          if (isActive !== (workflow.oldStatus === 'active')) {
            await this.followStatus(tx, uuid, isActive ? this.clock.now() : null);
          }
          return workflow;
        });
  }

  /**
   * Deletes a workflow with its triggers. Queued runs never start; its runs stay readable for 30 days. @returns the id.
   * @throws AppError as `update` does.
   */
  async delete(context: RequestContext, id: string, expectedVersion?: string | null): Promise<string> {
    const { accountId, hops } = context;
    await this.db.transaction(async (tx) => {
      const now = this.clock.now();
      const deleted = await queryOwned(tx, { table: 'workflows', accountId, id }, async (uuid) => {
        for (const end of this.endings.before) await end(tx, now, uuid, context);
        return tx.select(ToldWorkflow, DELETE, [uuid, accountId, newUuid(now), id, now, hops, auditParameter(now)]);
      });
      demandVersion(expectedVersion, this.counted(deleted));
      await tx.query(addTotals(`VALUES ($1::uuid, $2::text, $3::smallint, -1)`), [
        accountId,
        deleted.status,
        anySlot(),
      ]);
      for (const end of this.endings.after) await end(tx, now, deleted.uuid, context);
    });
    return id;
  }

  private async write(
    on: Queryable,
    { accountId, hops }: RequestContext,
    uuid: string,
    { name, description, status, failureNoticeAfter }: UpdateWorkflowInput,
  ): Promise<ChangedWorkflow> {
    const now = this.clock.now();
    const [workflow] = await on.select(ChangedWorkflow, CHANGE, [
      uuid,
      accountId,
      name ?? null,
      description !== undefined,
      description || null,
      status ?? null,
      now,
      anySlot(),
      newUuid(now),
      toPublicId('wf', uuid),
      hops,
      failureNoticeAfter !== undefined,
      failureNoticeAfter ?? null,
      auditParameter(now),
    ]);
    if (workflow === undefined) throw await notFoundOrForeign(on, 'workflows', uuid, accountId);
    return this.counted(workflow);
  }

  /** Counts the event that the statement of a workflow has recorded. */
  private counted<T extends ToldWorkflow>(workflow: T): T {
    this.db.afterCommit(() => this.stored.add(workflow.accountId, workflowEventBytes(workflow)));
    return workflow;
  }

  /** The workflow for each id; undefined if it is not of that account. */
  private async owned(ids: readonly OwnedId[]): Promise<(Workflow | undefined)[]> {
    const rows = await this.db.select(
      WorkflowAsked,
      `SELECT asked.place, ${COLUMNS} FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY asked (id, account_id, place)
       JOIN workflows w ON w.id = asked.id AND w.account_id = asked.account_id`,
      [ids.map(({ uuid }) => uuid), ids.map(({ accountId }) => accountId)],
    );
    const found = ids.map((): Workflow | undefined => undefined);
    for (const row of rows) found[row.place - 1] = row;
    return found;
  }

  /** Workflows of the account in the order of `uuids`, for links; undefined for each that no longer exists. */
  async byUuid({ accountId }: RequestContext, uuids: readonly string[]): Promise<(Workflow | undefined)[]> {
    const rows = await this.db.select(
      Workflow,
      `SELECT ${COLUMNS} FROM workflows w WHERE w.account_id = $1 AND w.id = ANY($2)`,
      [accountId, uuids],
    );
    const found = new Map(rows.map((workflow) => [workflow.uuid, workflow]));
    return uuids.map((uuid) => found.get(uuid));
  }
}
