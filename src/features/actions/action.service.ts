import { auditing, auditParameter } from '../audit-log/record-audit.js';
import { type LongWork } from '../../platform/admission/long-work.js';
import { type StoredBytes, unlimitedBytes } from '../../platform/admission/daily/stored-bytes.js';
import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { changeTimeSql } from '../../platform/changes/change-time.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database, type Queryable, type Transaction } from '../../platform/db/database.js';
import { notFoundOrForeign, withField } from '../../platform/db/owned-rows.js';
import { responseLane } from '../../platform/db/transaction-context.js';
import { preconditionFailed } from '../../platform/entity-tag.js';
import { type AppError, notFound } from '../../platform/errors.js';
import { fromPublicId, newUuid, toPublicId } from '../../platform/ids/ids.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { NO_ACTIONS, Workflow } from '../workflows/workflow.entity.js';
import { recordWorkflowEvent, ToldWorkflow, workflowEventBytes } from '../workflows/workflow-webhook.js';
import { definitionOf } from './action-kind.js';
import { type Action, ActionList } from './action.entity.js';
import { type ActionInput } from './action.inputs.js';
import { ActionLists } from './lists/action-lists.js';
import { type ListedWait, ListedWaits } from './lists/listed-waits.js';
import { type StoredAction } from './lists/stored-actions.js';
import { type OffersType } from './offers-type.js';
import { validateActions } from './validate-actions.js';

/** Replaces a malformed id (RFC 9562, 5.9): no row has it. */
const NIL = '00000000-0000-0000-0000-000000000000';
const CHANGED = recordWorkflowEvent({ type: 'workflow.updated', event: '$7', id: '$8', now: '$6', hops: '$9' });

/** The current list of a workflow: no id if it was never set, no body if the list is gone. */
interface CurrentList {
  id: string | null;
  body: string | null;
}

/** New actions of a workflow. */
interface Setting {
  uuid: string;
  actions: readonly ActionInput[];
  /** The same as JSON. */
  text: string;
  context: RequestContext;
}

/** Parameters: the workflow and its account. */
const CURRENT = `
  SELECT w.actions_id AS id, l.body FROM workflows w LEFT JOIN action_lists l ON l.id = w.actions_id
  WHERE w.id = $1 AND w.account_id = $2`;

/**
 * Sets the list while the current one is that of $10, and all integrations exist. Parameters: the workflow, its account,
 * the integrations, the new list's id, body and time, the event's uuid, the workflow's public id, hops, the current
 * list, `auditParameter`, and the facts before and after.
 */
const SET = `
  WITH old AS (
    SELECT id FROM workflows WHERE id = $1 AND account_id = $2 AND actions_id IS NOT DISTINCT FROM $10
      AND NOT EXISTS (
        SELECT 1 FROM unnest($3::uuid[]) wanted (id) WHERE NOT EXISTS (
          SELECT 1 FROM integrations i WHERE i.id = wanted.id AND i.account_id = $2 AND i.deleted_at IS NULL))
    FOR UPDATE),
  made AS (
    INSERT INTO action_lists (id, account_id, workflow_id, body, created_at, integration_ids)
    SELECT $4, $2, old.id, $5, $6, $3 FROM old),
  w AS (
    UPDATE workflows SET actions_id = $4, updated_at = ${changeTimeSql('$6', 'updated_at')}
    FROM old WHERE workflows.id = old.id RETURNING workflows.*),
  audited AS (${auditing({
    action: 'workflow.actions_updated',
    entry: '$11',
    from: 'w',
    accountId: 'w.account_id',
    resource: 'w.id',
    name: 'w.name',
    before: '$12::json',
    after: '$13::json',
  })}),
  logged AS (${CHANGED.logged})
  SELECT ${columnsOf(Workflow, 'w')}, ${CHANGED.told} FROM w`;

/** Stores the action lists of workflows encrypted, and reads them for the API and for runs. */
export class ActionService {
  private readonly lists: ActionLists;
  private readonly waits: ListedWaits;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly offersType: OffersType,
    private readonly longWork: LongWork,
    private readonly stored: StoredBytes = unlimitedBytes(clock),
  ) {
    this.lists = new ActionLists(secrets, longWork);
    this.waits = new ListedWaits(this.lists, longWork);
  }

  /**
   * Replaces the actions of a workflow and advances `updated_at`. Existing runs keep their list.
   * @throws AppError `validation_error`, then `not_found` or `unauthorized` for the workflow or an integration it
   * names, then `precondition_failed` when its actions are not those of `expectedVersion`. PostgreSQL compares the list again after it
   * waited for the row's lock, so of two concurrent writers with the same version the second one fails.
   */
  async set(
    context: RequestContext,
    workflowId: string,
    actions: readonly ActionInput[],
    expectedVersion?: string | null,
  ): Promise<Workflow> {
    const text = await this.validate(context, actions);
    const change = { uuid: fromPublicId('wf', workflowId) ?? NIL, actions, text, context };
    const current = await this.current(this.db, change);
    let workflow: ToldWorkflow | undefined;
    if (current !== undefined && (expectedVersion == null || expectedVersion === versionOf(current))) {
      [workflow] = await this.db.select(ToldWorkflow, SET, await this.valuesOf(change, current));
      if (workflow === undefined && expectedVersion == null) workflow = await this.setLocked(change);
    }
    if (workflow === undefined) throw await this.whyNotSet(context.accountId, change.uuid, actions);
    const bytes = workflowEventBytes(workflow);
    this.db.afterCommit(() => this.stored.add(context.accountId, bytes));
    return workflow;
  }

  /**
   * Gives a workflow without actions those of another one, in the transaction that creates it. They are as valid as they
   * were: a connection that was deleted since is still missing. @throws UnreadableError when no key decrypts them.
   */
  async copy(tx: Transaction, { actionsId }: Workflow, copy: Workflow): Promise<Workflow> {
    if (actionsId === null) return copy;
    const { accountId, uuid } = copy;
    const [list] = await tx.select(
      ActionList,
      `SELECT ${columnsOf(ActionList, 'l')} FROM action_lists l WHERE l.account_id = $1 AND l.id = $2`,
      [accountId, actionsId],
    );
    const now = this.clock.now();
    const listId = newUuid(now);
    const sealed = this.seal(accountId, listId, this.lists.textOf(list!));
    tx.afterCommit(() => this.stored.add(accountId, sealed.length));
    const [workflow] = await tx.select(
      Workflow,
      `WITH made AS (
         INSERT INTO action_lists (id, account_id, workflow_id, body, created_at, integration_ids)
         SELECT $1, l.account_id, $2, $4, $5, l.integration_ids FROM action_lists l WHERE l.id = $3),
       w AS (UPDATE workflows SET actions_id = $1 WHERE id = $2 RETURNING *)
       SELECT ${columnsOf(Workflow, 'w')} FROM w`,
      [listId, uuid, actionsId, sealed, now],
    );
    return workflow!;
  }

  /**
   * The actions of each list by its id (`Workflow.actionsId`), in the order of the ids: empty for a deleted list, null
   * for a list that no key of the ring decrypts.
   */
  async ofLists({ accountId }: RequestContext, listIds: readonly string[]): Promise<(StoredAction[] | null)[]> {
    const found = await this.lists.shown(this.db, accountId, listIds);
    return listIds.map((id) => (found.has(id) ? found.get(id)! : []));
  }

  /**
   * The actions of runs, by the id of their list. Lists that no key decrypts are missing. Short ones are cached, so that
   * the list of a busy workflow is decrypted once.
   */
  ofRuns(on: Queryable, runs: readonly { actionsId: string | null }[]): Promise<Map<string, Action[]>> {
    return this.lists.toExecute(on, new Set(runs.map(({ actionsId }) => actionsId).filter((id) => id !== null)));
  }

  /**
   * The actions of a run that may wait; undefined if they cannot be read. Waits for turns of the account. @throws AppError
   * `unavailable` if none has come in time.
   */
  async waitsOf(accountId: string, listId: string | null): Promise<ListedWait[] | undefined> {
    return listId === null ? undefined : this.waits.of(this.db, accountId, listId);
  }

  /** The same at once; undefined also if they were not read lately. */
  knownWaitsOf(listId: string | null): ListedWait[] | undefined {
    return listId === null ? undefined : this.waits.known(listId);
  }

  /** Validates a list, in turns of the account, and returns it as JSON. */
  private async validate(context: RequestContext, actions: readonly ActionInput[]): Promise<string> {
    const validation = validateActions(actions, context, this.offersType);
    let step = validation.next();
    for (; step.done !== true; step = validation.next()) {
      await this.longWork.piece(responseLane(context.accountId), step.value);
    }
    return step.value;
  }

  /** Sets the list while no other writer can: one came between the reading of the current list and the writing. */
  private setLocked(change: Setting): Promise<ToldWorkflow | undefined> {
    const { uuid, context } = change;
    return this.db.transaction(async (tx) => {
      const lock = `SELECT 1 AS one FROM workflows WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`;
      await tx.query(lock, [uuid, context.accountId]);
      const current = await this.current(tx, change);
      if (current === undefined) return undefined;
      const [workflow] = await tx.select(ToldWorkflow, SET, await this.valuesOf(change, current));
      return workflow;
    });
  }

  /** Undefined if the account has no such workflow. */
  private async current(on: Queryable, { uuid, context }: Setting): Promise<CurrentList | undefined> {
    const [current] = await on.query<{ id: string | null; body: string | null }>(CURRENT, [uuid, context.accountId]);
    return current;
  }

  /**
   * The parameters of `SET`, made in turns of the account. The facts have names and kinds only: configs have headers, bodies
   * and addresses.
   */
  private async valuesOf(
    { uuid, context: { accountId, hops }, actions, text }: Setting,
    current: CurrentList,
  ): Promise<unknown[]> {
    const now = this.clock.now();
    // An empty list is stored too: its id is the version.
    const listId = newUuid(now);
    const { id, body } = current;
    const lane = responseLane(accountId);
    if (body !== null) await this.longWork.piece(lane, body.length);
    const old = id === null ? [] : body === null ? null : this.lists.actionsIn({ accountId, uuid: id, body });
    const before = { actions_version: versionOf(current), actions: old && summaryOf(old) };
    const after = { actions_version: listId, actions: summaryOf(actions) };
    const integrations = integrationsOf(actions);
    await this.longWork.piece(lane, text.length);
    const sealed = this.seal(accountId, listId, text);
    return [
      ...[uuid, accountId, integrations, listId, sealed, now],
      ...[newUuid(now), toPublicId('wf', uuid), hops, id],
      ...[auditParameter(now), JSON.stringify(before), JSON.stringify(after)],
    ];
  }

  private seal(accountId: string, id: string, text: string): string {
    return this.secrets.seal(text, { accountId, table: 'action_lists', id });
  }

  private async whyNotSet(accountId: string, uuid: string, actions: readonly ActionInput[]): Promise<AppError> {
    const [first] = await this.db.query<{ id: string | null; deleted: boolean }>(
      `SELECT lost.id, lost.deleted FROM workflows w LEFT JOIN LATERAL (
         SELECT wanted.id, i.id IS NOT NULL AS deleted FROM unnest($3::uuid[]) WITH ORDINALITY wanted (id, n)
         LEFT JOIN integrations i ON i.id = wanted.id AND i.account_id = $2
         WHERE i.id IS NULL OR i.deleted_at IS NOT NULL ORDER BY n LIMIT 1) lost ON true
       WHERE w.id = $1 AND w.account_id = $2`,
      [uuid, accountId, integrationsOf(actions)],
    );
    if (first === undefined) return notFoundOrForeign(this.db, 'workflows', uuid, accountId);
    // The workflow and all integrations exist: the version differed.
    if (first.id === null) return preconditionFailed();
    const error = first.deleted
      ? notFound('integration')
      : await notFoundOrForeign(this.db, 'integrations', first.id, accountId);
    const place = actions.findIndex((action) => integrationsOf([action])[0] === first.id);
    return withField(error, `actions.${place}.config.integration_id`);
  }
}

function versionOf({ id }: CurrentList): string {
  return id ?? NO_ACTIONS;
}

function summaryOf(actions: readonly Pick<ActionInput, 'name' | 'kind'>[]) {
  return actions.map(({ name, kind }) => ({ name, kind }));
}

function integrationsOf(actions: readonly ActionInput[]): string[] {
  const ids = actions.map(({ kind, config }) => definitionOf(kind).integrationId?.(config));
  return ids.filter((id) => id !== undefined).map((id) => fromPublicId('int', id) ?? NIL);
}
