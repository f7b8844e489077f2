import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { columnsOf } from '../../platform/db/columns.js';
import { type Database, type Queryable } from '../../platform/db/database.js';
import { notFoundOrForeign, withField } from '../../platform/db/owned-rows.js';
import { preconditionFailed } from '../../platform/entity-tag.js';
import { type AppError, notFound } from '../../platform/errors.js';
import { fromPublicId, newUuid, toPublicId } from '../../platform/ids/ids.js';
import { type Secrets } from '../../platform/encryption/secrets.js';
import { NO_ACTIONS, Workflow } from '../workflows/workflow.entity.js';
import { recordWorkflowEvent } from '../workflows/workflow-webhook.js';
import { definitionOf } from './action-kind.js';
import { type Action, ActionList } from './action.entity.js';
import { type ActionInput } from './action.inputs.js';
import { validateActions } from './validate-actions.js';

/** Decrypted lists kept in memory, and the maximum length of each, encrypted, in characters. */
const CACHE_SIZE = 500;
const MAX_CACHED_LENGTH = 16_384;
/** Replaces a malformed id (RFC 9562, 5.9): no row has it. */
const NIL = '00000000-0000-0000-0000-000000000000';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Stores the action lists of workflows encrypted, and reads them for the API and for runs. */
export class ActionService {
  /** Decrypted lists of moderate size by id, oldest first. Never stale: a list never changes. */
  private readonly opened = new Map<string, Action[]>();

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Replaces the actions of a workflow in one statement and advances `updated_at`. Existing runs keep their list.
   * @throws AppError `validation_error`, then `not_found` or `unauthorized` for the workflow or an integration it
   * names, then `precondition_failed` when its actions are not those of `expectedVersion`. PostgreSQL checks that again after it
   * waited for the row's lock, so of two concurrent writers with the same version the second one fails.
   */
  async set(
    context: RequestContext,
    workflowId: string,
    actions: readonly ActionInput[],
    expectedVersion?: string | null,
  ): Promise<Workflow> {
    const { accountId, hops } = context;
    validateActions(actions, context);
    const uuid = fromPublicId('wf', workflowId) ?? NIL;
    const integrations = integrationsOf(actions);
    const now = this.clock.now();
    const listId = actions.length === 0 ? null : newUuid(now);
    const [workflow] = await this.db.write(
      Workflow,
      `WITH old AS (
         SELECT id FROM workflows WHERE id = $1 AND account_id = $2
           AND ($10::text IS NULL OR coalesce(actions_id::text, '${NO_ACTIONS}') = $10)
           AND NOT EXISTS (
           SELECT 1 FROM unnest($3::uuid[]) wanted (id) WHERE NOT EXISTS (
             SELECT 1 FROM integrations i WHERE i.id = wanted.id AND i.account_id = $2 AND i.deleted_at IS NULL))
         FOR UPDATE),
       made AS (
         INSERT INTO action_lists (id, account_id, workflow_id, body, created_at, integration_ids)
         SELECT $4, $2, old.id, $5, $6, $3 FROM old WHERE $4::uuid IS NOT NULL),
       w AS (
         UPDATE workflows SET actions_id = $4, updated_at = greatest($6, updated_at + interval '1 ms')
         FROM old WHERE workflows.id = old.id RETURNING workflows.*)
       SELECT ${columnsOf(Workflow, 'w')},
         ${recordWorkflowEvent({ type: 'workflow.updated', event: '$7', id: '$8', now: '$6', hops: '$9' })}
       FROM w`,
      [
        uuid,
        accountId,
        integrations,
        listId,
        listId && this.seal(accountId, listId, actions),
        now,
        newUuid(now),
        toPublicId('wf', uuid),
        hops,
        comparable(expectedVersion),
      ],
    );
    return workflow ?? Promise.reject(await this.whyNotSet(accountId, uuid, actions));
  }

  /**
   * The actions of each list by its id (`Workflow.actionsId`), in the order of the ids: empty for a deleted list, null
   * for a list that no key of the ring decrypts.
   */
  async ofLists({ accountId }: RequestContext, listIds: readonly string[]): Promise<(Action[] | null)[]> {
    const lists = await this.db.select(
      ActionList,
      `SELECT ${columnsOf(ActionList, 'l')} FROM action_lists l WHERE l.account_id = $1 AND l.id = ANY($2)`,
      [accountId, listIds],
    );
    const found = new Map(lists.map((list) => [list.uuid, this.tryToOpen(list)]));
    return listIds.map((id) => (found.has(id) ? found.get(id)! : []));
  }

  /**
   * The actions of runs, by the id of their list. Lists that no key decrypts are missing. Cached, so that the list of a
   * busy workflow is decrypted once.
   */
  async ofRuns(on: Queryable, runs: readonly { actionsId: string | null }[]): Promise<Map<string, Action[]>> {
    const ids = new Set(runs.map(({ actionsId }) => actionsId).filter((id) => id !== null));
    const found = new Map<string, Action[]>();
    for (const id of ids) {
      const known = this.opened.get(id);
      if (known !== undefined) found.set(id, known);
    }
    const unknown = [...ids].filter((id) => !found.has(id));
    if (unknown.length === 0) return found;
    const lists = await on.select(
      ActionList,
      `SELECT ${columnsOf(ActionList, 'l')} FROM action_lists l WHERE l.id = ANY($1)`,
      [unknown],
    );
    for (const list of lists) {
      const actions = this.tryToOpen(list);
      if (actions === null) continue;
      found.set(list.uuid, actions);
      if (list.body.length <= MAX_CACHED_LENGTH) this.remember(list.uuid, actions);
    }
    return found;
  }

  /** Decrypts the actions of a row. @throws UnreadableError when no key of the ring decrypts them. */
  open({ accountId, uuid, body }: Pick<ActionList, 'accountId' | 'uuid' | 'body'>): Action[] {
    return JSON.parse(this.secrets.open(body, { accountId, table: 'action_lists', id: uuid })) as Action[];
  }

  private tryToOpen(list: ActionList): Action[] | null {
    try {
      return this.open(list);
    } catch {
      return null;
    }
  }

  private remember(id: string, actions: Action[]): void {
    if (this.opened.size >= CACHE_SIZE) this.opened.delete(this.opened.keys().next().value!);
    this.opened.set(id, actions);
  }

  private seal(accountId: string, id: string, actions: readonly ActionInput[]): string {
    const list: Action[] = actions.map(({ name, kind, config }) => ({ name, kind, config }));
    return this.secrets.seal(JSON.stringify(list), { accountId, table: 'action_lists', id });
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

/** The version for the SQL comparison: null if none was given, empty if no row can have it, e.g. text with NUL. */
function comparable(version: string | null | undefined): string | null {
  if (version == null) return null;
  return version === NO_ACTIONS || UUID.test(version) ? version : '';
}

function integrationsOf(actions: readonly ActionInput[]): string[] {
  const ids = actions.map(({ kind, config }) => definitionOf(kind).integrationId?.(config));
  return ids.filter((id) => id !== undefined).map((id) => fromPublicId('int', id) ?? NIL);
}
