import { type Clock } from '../clock.js';
import { columnsOf } from '../db/columns.js';
import { type Database } from '../db/database.js';
import { GatheredReads } from '../db/gathered-reads.js';
import { missing } from '../db/missing.js';
import { offsetOf, type Page, toPage } from '../db/pagination.js';
import { type RequestContext } from '../context.js';
import { fromPublicId, newUuid, timeOf } from '../ids.js';
import { Workflow } from './workflow.entity.js';
import { type CreateWorkflowInput, type ListWorkflowsArgs, type UpdateWorkflowInput } from './workflow.inputs.js';
import { addTotals, anySlot } from './workflow-totals.js';

const COLUMNS = columnsOf(Workflow, 'w');

/** A workflow of a list, beside the total that each row of its statement carries. */
class WorkflowOfPage extends Workflow {
  total: number;
}

/** A workflow beside the place, from 1, of the id that asked for it. */
class WorkflowAsked extends Workflow {
  place: number;
}

/** Which workflow is asked for, by whom. */
interface OwnedId {
  uuid: string;
  accountId: string;
}

export class WorkflowService {
  private readonly reads: GatheredReads<OwnedId, Workflow>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {
    this.reads = new GatheredReads(db, (ids) => this.owned(ids));
  }

  /** Newest first. Page and total come by one statement, whatever the size of the account; see docs/performance.md. */
  async list({ accountId }: RequestContext, args: ListWorkflowsArgs): Promise<Page<Workflow>> {
    const filter = args.status ? { where: 'AND status = $4', values: [args.status] } : { where: '', values: [] };
    const rows = await this.db.select(
      WorkflowOfPage,
      `SELECT t.total, p.* FROM (
         SELECT coalesce(sum(total), 0)::bigint AS total FROM workflow_totals WHERE account_id = $1 ${filter.where}) t
       LEFT JOIN LATERAL (
         SELECT ${COLUMNS} FROM workflows w WHERE account_id = $1 ${filter.where} ORDER BY id DESC LIMIT $2 OFFSET $3
       ) p ON true`,
      [accountId, args.perPage, offsetOf(args), ...filter.values],
    );
    const { total, uuid } = rows[0]!;
    // A page beyond the last is one row, of the total alone.
    return toPage((uuid as string | null) === null ? [] : rows, total, args);
  }

  /** @throws AppError `not_found`, or `unauthorized` when it is another account's. */
  async get({ accountId }: RequestContext, id: string): Promise<Workflow> {
    const uuid = fromPublicId('wf', id);
    const workflow = uuid === undefined ? undefined : await this.reads.load({ uuid, accountId });
    return workflow ?? Promise.reject(await missing(this.db, 'workflows', uuid));
  }

  async create({ accountId }: RequestContext, input: CreateWorkflowInput): Promise<Workflow> {
    const uuid = newUuid(this.clock.now());
    const [workflow] = await this.db.write(
      Workflow,
      `WITH counted AS (${addTotals(`VALUES ($2, $5::text, $7::smallint, 1)`)})
       INSERT INTO workflows AS w (id, account_id, name, description, status, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING ${COLUMNS}`,
      [uuid, accountId, input.name, input.description || null, input.status, timeOf(uuid), anySlot()],
    );
    return workflow!;
  }

  /** Changes what is given. `updated_at` moves on when anything is, also to the same value. */
  async update(context: RequestContext, id: string, input: UpdateWorkflowInput): Promise<Workflow> {
    const { name, description, status } = input;
    if (name === undefined && description === undefined && status === undefined) return this.get(context, id);
    const uuid = fromPublicId('wf', id);
    const [workflow] = uuid
      ? await this.db.select(
          Workflow,
          `WITH old AS (SELECT id, status FROM workflows WHERE id = $1 AND account_id = $2 FOR UPDATE),
           w AS (
             UPDATE workflows SET
               name = coalesce($3, name),
               description = CASE WHEN $4 THEN $5 ELSE description END,
               status = coalesce($6, workflows.status),
               updated_at = greatest($7, updated_at + interval '1 ms')
             FROM old WHERE workflows.id = old.id RETURNING workflows.*, old.status AS old_status),
           counted AS (${addTotals(
             // Sorted, so that opposite moves lock their rows in the same order.
             `SELECT $2::uuid, s.status, $8::smallint, s.total
              FROM w, LATERAL (VALUES (w.old_status, -1), (w.status, 1)) s (status, total)
              WHERE w.old_status <> w.status ORDER BY s.status`,
           )})
           SELECT ${COLUMNS} FROM w`,
          [
            uuid,
            context.accountId,
            name ?? null,
            description !== undefined,
            description || null,
            status ?? null,
            this.clock.now(),
            anySlot(),
          ],
        )
      : [];
    return workflow ?? Promise.reject(await missing(this.db, 'workflows', uuid));
  }

  /** Its triggers go with it, and what is queued never runs; its runs stay readable. @returns the id. */
  async delete({ accountId }: RequestContext, id: string): Promise<string> {
    const uuid = fromPublicId('wf', id);
    await this.db.transaction(async (tx) => {
      const [deleted] = uuid
        ? await tx.query(`DELETE FROM workflows WHERE id = $1 AND account_id = $2 RETURNING status`, [uuid, accountId])
        : [];
      if (deleted === undefined) throw await missing(tx, 'workflows', uuid);
      await tx.query(addTotals(`VALUES ($1::uuid, $2::text, $3::smallint, -1)`), [
        accountId,
        deleted.status,
        anySlot(),
      ]);
      await tx.query(
        `UPDATE runs SET status = 'canceled', status_reason = 'workflow_deleted', finished_at = $2, version = version + 1
         WHERE workflow_id = $1 AND status = 'queued'`,
        [uuid, this.clock.now()],
      );
    });
    return id;
  }

  /** For each id the workflow, where it is of that account. */
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

  /** Workflows of the account by uuid, for links; in the order asked. */
  async byUuid({ accountId }: RequestContext, uuids: readonly string[]): Promise<Workflow[]> {
    const rows = await this.db.select(
      Workflow,
      `SELECT ${COLUMNS} FROM workflows w WHERE w.account_id = $1 AND w.id = ANY($2)`,
      [accountId, uuids],
    );
    const found = new Map(rows.map((workflow) => [workflow.uuid, workflow]));
    return uuids.map((uuid) => found.get(uuid)!);
  }
}
