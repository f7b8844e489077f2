import { MIN_UUID } from '../../../platform/ids/ids.js';
import { type Queryable } from '../../../platform/db/database.js';

/** While no more than this many are due, all are looked at. */
export const ALL_DUE = 100;
/** Beyond that accounts take turns: so many connected types of accounts are looked at in one turn. */
const GROUPS = 500;
/** Tokens of one account and type in one turn. */
export const DUE_OF_GROUP = 4;
/** The shortest time between two turns, in milliseconds. */
const TURN_MS = 100;

/** A token that is due for renewal. */
export interface DueRenewal {
  uuid: string;
  accountId: string;
  type: string;
}

/** An account with one of its types, in the order of the index. */
interface Group {
  accountId: string;
  type: string;
}

const START: Group = { accountId: MIN_UUID, type: '' };

const IS_RENEWABLE = `renew_at IS NOT NULL AND status = 'connected' AND deleted_at IS NULL`;
/** Due, and claimed by no process. */
export const IS_DUE = `${IS_RENEWABLE} AND renew_at <= clock_now() AND credentials IS NOT NULL
  AND (renewal_until IS NULL OR renewal_until <= clock_now())`;

const EARLIEST = `SELECT id AS uuid, account_id AS "accountId", type FROM integrations WHERE ${IS_DUE}
  ORDER BY renew_at LIMIT ${ALL_DUE + 1}`;

const nextGroup = (after: string): string => `SELECT account_id, type FROM integrations
  WHERE ${IS_RENEWABLE} AND (account_id, type) > ${after} ORDER BY account_id, type LIMIT 1`;

/**
 * The first due tokens of each of the next groups, and the last of these groups. It skips from group to group in the
 * index, so that it reads no more of a long backlog than it returns.
 */
export const DUE_IN_TURNS = `WITH RECURSIVE groups AS (
    SELECT first.*, 1 AS nth FROM (${nextGroup('($1::uuid, $2::text)')}) first
    UNION ALL
    SELECT next.*, groups.nth + 1 FROM groups
      CROSS JOIN LATERAL (${nextGroup('(groups.account_id, groups.type)')}) next WHERE groups.nth < ${GROUPS})
  SELECT due.id AS uuid, groups.account_id AS "accountId", groups.type, groups.nth = ${GROUPS} AS "isLast" FROM groups
    LEFT JOIN LATERAL (
      SELECT id FROM integrations i WHERE i.account_id = groups.account_id AND i.type = groups.type AND ${IS_DUE}
      ORDER BY renew_at LIMIT ${DUE_OF_GROUP}) due ON true
  WHERE due.id IS NOT NULL OR groups.nth = ${GROUPS} ORDER BY groups.nth`;

/**
 * Finds the tokens that are due: the earliest first, and of a backlog also some of each account and type, so that the
 * backlog of one account does not hide the others.
 */
export class DueRenewals {
  private last = START;
  private nextTurn = -Infinity;

  constructor(private readonly on: Queryable) {}

  /** Due tokens, each once, in the order in which they should be renewed. */
  async next(): Promise<DueRenewal[]> {
    const earliest = await this.on.query<DueRenewal>(EARLIEST, []);
    if (earliest.length <= ALL_DUE || performance.now() < this.nextTurn) return earliest;
    const all = [...(await this.inTurns()), ...earliest];
    return [...new Map(all.map((each) => [each.uuid, each])).values()];
  }

  private async inTurns(): Promise<DueRenewal[]> {
    const rows = await this.on.query<Group & { uuid: string | null; isLast: boolean }>(DUE_IN_TURNS, [
      this.last.accountId,
      this.last.type,
    ]);
    const last = rows.at(-1);
    this.last = last?.isLast ? { accountId: last.accountId, type: last.type } : START;
    this.nextTurn = performance.now() + TURN_MS;
    return rows.flatMap(({ uuid, accountId, type }) => (uuid === null ? [] : [{ uuid, accountId, type }]));
  }
}
