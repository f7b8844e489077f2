import { type Queryable } from '../../../platform/db/database.js';
import { lowestUuidAt } from '../../../platform/ids/uuid-range.js';
import { type ChangePlace, LATE_MS } from './late-changes.js';
import { type RunVersion } from './run-gaps.js';
import { COMMITTED_WITHIN_MS } from './run-positions.js';

/** How far before the beginning of the last pass a pass begins, in milliseconds: early changes are not stored. */
const BACK_MS = LATE_MS + 5_000;
/** The same of a wide pass, which finds changes that were committed late or have the time of another clock. */
export const WIDE_BACK_MS = LATE_MS + COMMITTED_WITHIN_MS;
/** A wide pass begins when the last one began this long ago. */
const WIDE_EVERY_MS = 30_000;
/** The maximum of rows that a look reads. */
export const LOOK_AT = 10_000;
/** The maximum of accounts in a look, and how often it reads more of those that have more. */
export const LOOK_AT_ACCOUNTS = 1_000;
const ROUNDS = 3;
/** Accounts that one statement reads: it searches each partition for each of them. */
const AT_ONCE = 250;
/** Runs and stored changes. */
const TABLES = 2;

/** $1: accounts; $2: runs, $3, $4, $5: stored changes, behind which to read; $6: the maximum of each for an account. */
const CHANGED = `SELECT f.* FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::int[])
    AS a (account, after, at, run, version) CROSS JOIN LATERAL (
  (SELECT r.account_id AS "accountId", r.workflow_id AS "workflowUuid", r.id AS "runUuid", r.version, NULL::timestamptz AS at
     FROM runs r WHERE r.account_id = a.account AND r.id > a.after ORDER BY r.id LIMIT $6)
  UNION ALL
  (SELECT c.account_id, c.workflow_id, c.run_id, c.version, c.at FROM late_run_changes c
     WHERE c.account_id = a.account AND c.at >= a.at AND (c.at, c.run_id, c.version) > (a.at, a.run, a.version)
     ORDER BY c.at, c.run_id, c.version LIMIT $6)) f`;

const RUNS = `SELECT r.account_id AS "accountId", r.workflow_id AS "workflowUuid", r.id AS "runUuid", r.version
  FROM runs r WHERE r.id = ANY($1)`;

/** The version of a run, with the workflow by which it may be followed. */
export type FoundVersion = RunVersion & { workflowUuid: string };

type Row = FoundVersion & { at: Date | null };

/** Where the pass through the young runs and stored changes of an account is. */
interface Pass {
  accountId: string;
  began: number;
  wideBegan: number;
  run: string;
  late: ChangePlace;
  isOver: boolean;
}

/**
 * Reads the versions of runs that may have changed, in passes through the young runs and stored changes of each account.
 * A pass takes as many looks as it needs, and the next one begins some time before it, so that none is left out. A look
 * shares its rows among the accounts. Accounts that it has no room for come first in the next one.
 */
export class RunVersions {
  /** Those that were not read for the longest time come first. */
  private readonly passes = new Map<string, Pass>();

  constructor(private readonly on: Pick<Queryable, 'query'>) {}

  /** One look at these accounts. After a failure the next one continues at the same place. */
  async *ofAccounts(accounts: ReadonlySet<string>, now: number): AsyncGenerator<FoundVersion[]> {
    for (const account of this.passes.keys()) if (!accounts.has(account)) this.passes.delete(account);
    for (const account of accounts) if (!this.passes.has(account)) this.passes.set(account, passOf(account, now));
    let open = [...this.passes.values()].slice(0, LOOK_AT_ACCOUNTS);
    for (const pass of open) if (pass.isOver) Object.assign(pass, passOf(pass.accountId, now, pass));
    let left = LOOK_AT;
    for (let round = 0; round < ROUNDS && open.length > 0 && left > 0; round += 1) {
      const share = Math.max(1, Math.floor(left / TABLES / open.length));
      const rows = await this.read(open, share);
      const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
      for (const pass of open) {
        advance(pass, byAccount.get(pass.accountId) ?? [], share);
        this.passes.delete(pass.accountId);
        this.passes.set(pass.accountId, pass);
      }
      left -= rows.length;
      yield rows;
      open = open.filter(({ isOver }) => !isOver);
    }
  }

  /** The versions of single runs. */
  async ofRuns(uuids: readonly string[]): Promise<FoundVersion[]> {
    return uuids.length === 0 ? [] : this.on.query<FoundVersion & Record<string, unknown>>(RUNS, [uuids]);
  }

  private async read(passes: readonly Pass[], share: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let from = 0; from < passes.length; from += AT_ONCE) {
      const some = passes.slice(from, from + AT_ONCE);
      const found = await this.on.query<Row & Record<string, unknown>>(CHANGED, [
        some.map(({ accountId }) => accountId),
        some.map(({ run }) => run),
        some.map(({ late }) => late.at),
        some.map(({ late }) => late.runUuid),
        some.map(({ late }) => late.version),
        share,
      ]);
      rows.push(...found);
    }
    return rows;
  }
}

function passOf(accountId: string, now: number, last?: Pass): Pass {
  const isWide = last !== undefined && now - last.wideBegan >= WIDE_EVERY_MS;
  const since = isWide ? last.wideBegan - WIDE_BACK_MS : (last?.began ?? now) - BACK_MS;
  return {
    accountId,
    began: now,
    wideBegan: isWide ? now : (last?.wideBegan ?? now),
    run: lowestUuidAt(since),
    late: { at: new Date(since), runUuid: lowestUuidAt(0), version: 0 },
    isOver: false,
  };
}

/** Moves a pass behind the rows, which are in its order. It is over when neither table had as many as were asked for. */
function advance(pass: Pass, rows: readonly Row[], share: number): void {
  const isLate = ({ at }: Row): boolean => at !== null;
  const [runs, late] = [rows.filter((row) => !isLate(row)), rows.filter(isLate)];
  pass.run = runs.at(-1)?.runUuid ?? pass.run;
  const last = late.at(-1);
  if (last !== undefined) pass.late = { at: last.at!, runUuid: last.runUuid, version: last.version };
  pass.isOver = runs.length < share && late.length < share;
}
