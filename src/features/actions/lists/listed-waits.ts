import { Lanes } from '../../../platform/admission/lanes.js';
import { type LongWork } from '../../../platform/admission/long-work.js';
import { RecentTexts } from '../../../platform/caches/recent-texts.js';
import { type Queryable } from '../../../platform/db/database.js';
import { responseLane } from '../../../platform/db/transaction-context.js';
import { definitionOf } from '../action-kind.js';
import { readsOf } from '../reads.js';
import { type WaitPurpose } from '../wait-request.js';
import { type ActionLists } from './action-lists.js';
import { LongAction, type StoredAction } from './stored-actions.js';

/** The characters that are kept of the waits of lists: those of some thousand lists. */
const KEPT_CHARACTERS = 4 * 2 ** 20;
/** How long a reader waits for the others of its account, in milliseconds. */
const PATIENCE_MS = 5_000;

/** An action of a list that may wait, as far as the URL of its wait needs it. */
export interface ListedWait {
  index: number;
  name: string;
  purpose: WaitPurpose;
  /** The indices of the actions that pass on its URL. */
  passedOnBy: number[];
}

/**
 * The waits of lists of actions. A client with the URL of a wait needs no key and may repeat its request, and a list has up to
 * 1 MB. So a list is read once, in turns of its account.
 */
export class ListedWaits {
  /** By the id of the list, as JSON. Never stale: a list never changes. */
  private readonly kept = new RecentTexts(KEPT_CHARACTERS);
  /** One list of an account is in memory at a time. */
  private readonly readers = new Lanes(1);

  constructor(
    private readonly lists: Pick<ActionLists, 'shown'>,
    private readonly longWork: LongWork,
  ) {}

  /** The waits of a list that was read before; undefined if it was not, or too long ago. */
  known(listId: string): ListedWait[] | undefined {
    const text = this.kept.find(listId);
    return text === undefined ? undefined : (JSON.parse(text) as ListedWait[]);
  }

  /**
   * The waits of a list; undefined if it is gone, or no key of the ring decrypts it. @throws AppError `unavailable` if the
   * account's turn has not come in time.
   */
  async of(on: Queryable, accountId: string, listId: string): Promise<ListedWait[] | undefined> {
    const known = this.known(listId);
    if (known !== undefined) return known;
    const lane = responseLane(accountId);
    const read = () => this.read(on, accountId, listId);
    // The reader before may have read the same list.
    return this.readers.run(lane, async () => this.known(listId) ?? (await read()), performance.now() + PATIENCE_MS);
  }

  private async read(on: Queryable, accountId: string, listId: string): Promise<ListedWait[] | undefined> {
    const actions = (await this.lists.shown(on, accountId, [listId])).get(listId);
    if (!actions) return undefined;
    const waits = await this.waitsIn(responseLane(accountId), actions);
    this.kept.keep(listId, JSON.stringify(waits));
    return waits;
  }

  /** Parses one config at a time, and only those that may be of a wait or pass on a URL. */
  private async waitsIn(lane: string, actions: readonly StoredAction[]): Promise<ListedWait[]> {
    const waits: ListedWait[] = [];
    for (const [index, { name, kind, config }] of actions.entries()) {
      const definition = definitionOf(kind);
      if (definition.waits === undefined) continue;
      await this.longWork.piece(lane, config.length);
      const purpose = definition.waits(config.toJSON() as LongAction['config']);
      if (purpose !== undefined) waits.push({ index, name, purpose, passedOnBy: [] });
    }
    for (const [index, action] of actions.entries()) {
      if (!action.config.includes('waits')) continue;
      await this.longWork.piece(lane, action.config.length);
      const { placeholders } = readsOf(new LongAction(action));
      const names = new Set(placeholders.filter(([root]) => root === 'waits').map(([, name]) => name));
      for (const { name, passedOnBy } of waits) if (names.has(name)) passedOnBy.push(index);
    }
    return waits;
  }
}
