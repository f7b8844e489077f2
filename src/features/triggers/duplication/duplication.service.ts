import { type StoredBytes } from '../../../platform/admission/daily/stored-bytes.js';
import { type Clock } from '../../../platform/clock.js';
import { type RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { columnsOf } from '../../../platform/db/columns.js';
import { findOwned } from '../../../platform/db/owned-rows.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type ActionService } from '../../actions/action.service.js';
import { WorkflowStatus } from '../../workflows/workflow-status.js';
import { Workflow } from '../../workflows/workflow.entity.js';
import { MAX_NAME } from '../../workflows/workflow.inputs.js';
import { type WorkflowService } from '../../workflows/workflow.service.js';
import { LOCK_TRIGGERS } from '../trigger-limits.js';
import { copyTriggers } from './copy-triggers.js';

const SUFFIX = ' (copy)';

/** The services of the parts of a workflow. */
export interface Parts {
  workflows: WorkflowService;
  actions: ActionService;
}

/** Duplicates workflows with all that belongs to them. */
export class DuplicationService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly stored: StoredBytes,
    private readonly parts: Parts,
  ) {}

  /**
   * Creates a draft with the description, actions and triggers of a workflow; `name`: null for that of the original with
   * a suffix. @throws AppError `not_found`, `unauthorized`, or `validation_error` at the limit of triggers; UnreadableError
   * if actions or a secret cannot be opened.
   */
  async duplicate(context: RequestContext, id: string, name: string | null): Promise<Workflow> {
    const { accountId, hops } = context;
    const { workflows, actions } = this.parts;
    return this.db.transaction(async (tx) => {
      // The lock keeps actions and triggers of the original as they are until all are copied.
      const row = { table: 'workflows', accountId, id, lock: 'FOR NO KEY UPDATE' } as const;
      const original = await findOwned<Workflow>(tx, row, `${columnsOf(Workflow, 'workflows')}, ${LOCK_TRIGGERS}`);
      const input = {
        name: name ?? copyName(original.name),
        description: original.description,
        status: WorkflowStatus.DRAFT,
      };
      const draft = await workflows.create(context, input, tx);
      const copy = await actions.copy(tx, original, draft);
      const now = this.clock.now();
      const bytes = await copyTriggers(tx, this.secrets, { accountId, from: original.uuid, to: copy.uuid, now, hops });
      tx.afterCommit(() => this.stored.add(accountId, bytes));
      return copy;
    });
  }
}

/** The name with a suffix, within the limit of a name in characters. */
function copyName(name: string): string {
  return `${Array.from(name)
    .slice(0, MAX_NAME - SUFFIX.length)
    .join('')}${SUFFIX}`;
}
