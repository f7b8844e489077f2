import { LONG_BYTES, type LongWork } from '../../../platform/admission/long-work.js';
import { nextTurn } from '../../../platform/admission/pace.js';
import { type Queryable } from '../../../platform/db/database.js';
import { type Measured, measured, readPortions, readRest } from '../../../platform/db/texts/measured-texts.js';
import { isInTransaction, responseLane } from '../../../platform/db/transaction-context.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type Action, type ActionList } from '../action.entity.js';
import { LongAction, type StoredAction, storedActions } from './stored-actions.js';

/** Parsed lists kept in memory, and the maximum length of each, encrypted, in characters. */
const CACHE_SIZE = 500;
const MAX_PARSED_LENGTH = 16_384;

/** A row of a list, as far as it takes to decrypt it. */
type SealedList = Pick<ActionList, 'uuid' | 'accountId' | 'body'>;

/** The same before it may be read. */
type MeasuredList = Omit<SealedList, 'body'> & { body: string | null } & Measured;

const BODY = { body: 'l.body' };
const { columns, join } = measured(BODY, 'l.id');
const FIRST = `SELECT l.id AS uuid, l.account_id AS "accountId", ${columns} FROM action_lists l ${join}
  WHERE l.id = ANY($1)`;
const OF_ACCOUNT = `${FIRST} AND l.account_id = $2`;
const REST = `SELECT l.id AS uuid, l.body FROM action_lists l WHERE l.id = ANY($1)`;

/** Reads stored lists in portions, and decrypts them one after another. */
export class ActionLists {
  /** Parsed lists of moderate size by id, oldest first. Never stale: a list never changes. */
  private readonly parsed = new Map<string, Action[]>();

  constructor(
    private readonly secrets: Secrets,
    private readonly longWork: LongWork,
  ) {}

  /** The JSON of a list. @throws UnreadableError when no key of the ring decrypts it. */
  textOf({ accountId, uuid, body }: SealedList): string {
    return this.secrets.open(body, { accountId, table: 'action_lists', id: uuid });
  }

  /** The actions of a list; null if no key of the ring decrypts it. */
  actionsIn(list: SealedList): StoredAction[] | null {
    try {
      return storedActions(this.textOf(list));
    } catch {
      return null;
    }
  }

  /** The lists of an account that exist, by id; null for one that no key of the ring decrypts. */
  async shown(
    on: Queryable,
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, StoredAction[] | null>> {
    const found = new Map<string, StoredAction[] | null>();
    const lane = responseLane(accountId);
    await this.read(on, OF_ACCOUNT, [ids, accountId], readRest, async (list) => {
      await this.longWork.piece(lane, list.body.length);
      found.set(list.uuid, this.actionsIn(list));
    });
    return found;
  }

  /** As `ActionService.ofRuns`. */
  async toExecute(on: Queryable, ids: ReadonlySet<string>): Promise<Map<string, Action[]>> {
    const found = new Map<string, Action[]>();
    for (const id of ids) {
      const known = this.parsed.get(id);
      if (known !== undefined) found.set(id, known);
    }
    const unknown = [...ids].filter((id) => !found.has(id));
    if (unknown.length === 0) return found;
    // A transaction with an effect must not fail for what its lists take.
    const readLists = isInTransaction() ? readPortions : readRest;
    let left = LONG_BYTES;
    await this.read(on, FIRST, [unknown], readLists, async (list) => {
      const { length } = list.body;
      if (!isInTransaction()) await this.longWork.piece(list.accountId, length);
      else if ((left -= length) < 0) {
        // Not in turns of long work: they may be late, and rows are locked.
        await nextTurn();
        left = LONG_BYTES;
      }
      const stored = this.actionsIn(list);
      if (stored === null) return;
      const isShort = list.body.length <= MAX_PARSED_LENGTH;
      const actions = isShort ? stored.map(parsedOf) : stored.map((action) => new LongAction(action));
      found.set(list.uuid, actions);
      if (isShort) this.remember(list.uuid, actions);
    });
    return found;
  }

  /** Passes each list on once it is read, so that only the sealed texts of one portion are in memory. */
  private async read(
    on: Queryable,
    first: string,
    values: readonly unknown[],
    readLists: typeof readRest,
    use: (list: SealedList) => Promise<void>,
  ): Promise<void> {
    const lists = await on.query<MeasuredList>(first, values);
    await readLists(lists, BODY, async (portion) => {
      const rows = await on.query<{ uuid: string; body: string }>(REST, [portion.map(({ uuid }) => uuid)]);
      const accounts = new Map(portion.map(({ uuid, accountId }) => [uuid, accountId]));
      for (const row of rows) await use({ ...row, accountId: accounts.get(row.uuid)! });
      return [];
    });
    for (const { body, ...list } of lists) if (body !== null) await use({ ...list, body });
  }

  private remember(id: string, actions: Action[]): void {
    if (this.parsed.size >= CACHE_SIZE) this.parsed.delete(this.parsed.keys().next().value!);
    this.parsed.set(id, actions);
  }
}

function parsedOf({ name, kind, config }: StoredAction): Action {
  return { name, kind, config: config.toJSON() as Action['config'] };
}
