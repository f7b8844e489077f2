import DataLoader from 'dataloader';
import { type RequestContext } from '../context.js';
import { columnsOf } from '../db/columns.js';
import { type Database, type Queryable } from '../db/database.js';
import { type LinkKey, linkStatement, loadLinkedPages } from '../db/linked-pages.js';
import { missing } from '../db/missing.js';
import { offsetOf, type Page, toPage } from '../db/pagination.js';
import { type AppError, notFound } from '../errors.js';
import { fromPublicId } from '../ids.js';
import { jsonText, type JsonText } from '../json-text.js';
import { Run } from './run.entity.js';
import { runFilter } from './run-filter.js';
import { type ListRunsArgs } from './run.inputs.js';
import { Step } from './step.entity.js';

/** Runs can be millions: totals are exact up to here, and stay here beyond. */
export const COUNT_LIMIT = 10_000;

const TRIGGER_EXISTS = 'EXISTS (SELECT 1 FROM triggers t WHERE t.id = r.trigger_id) AS "triggerExists"';
/** An input may weigh 1 MB: who asks for none need not wait for it. */
const WITHOUT_INPUT = `${columnsOf(Run, 'r', ['input'])}, ${TRIGGER_EXISTS}`;
const COLUMNS = `${WITHOUT_INPUT}, r.input::text AS "inputText"`;
const STEP_WITHOUT_OUTPUT = columnsOf(Step, 's', ['output']);
const STEP_COLUMNS = `${STEP_WITHOUT_OUTPUT}, s.output::text AS "outputText"`;

const ofWorkflow = (columns: string): string =>
  linkStatement({
    columns,
    from: 'runs r',
    where: 'r.workflow_id = p.parent AND r.account_id = $1 AND (p.filter IS NULL OR r.status = p.filter)',
    id: 'r.id',
    countUpTo: COUNT_LIMIT,
  });
const OF_WORKFLOW = ofWorkflow(COLUMNS);
const OF_WORKFLOW_WITHOUT_INPUT = ofWorkflow(WITHOUT_INPUT);

const LAST_OF_WORKFLOWS = `
  SELECT run.* FROM unnest($2::uuid[]) w (id) CROSS JOIN LATERAL (
    SELECT ${WITHOUT_INPUT} FROM runs r WHERE r.workflow_id = w.id AND r.account_id = $1 ORDER BY r.id DESC LIMIT 1) run`;

/** What of a list of runs is asked for besides the runs themselves. */
export interface AskedOfRuns {
  withTotal?: boolean;
  withInput?: boolean;
}

/** Which steps of a run are wanted, by its uuid: all, or that at one place. */
export interface AskedSteps {
  run: string;
  index?: number | null;
  withOutput: boolean;
}

/** One run as it is now, or undefined. */
export async function selectRun(
  on: Queryable,
  accountId: string,
  uuid: string,
  withInput = true,
): Promise<Run | undefined> {
  const columns = withInput ? COLUMNS : WITHOUT_INPUT;
  const [run] = await on.select(Run, `SELECT ${columns} FROM runs r WHERE r.id = $1 AND r.account_id = $2`, [
    uuid,
    accountId,
  ]);
  return run;
}

export class RunService {
  constructor(private readonly db: Database) {}

  /**
   * Newest first. An id of another account, or none at all, matches nothing. Counting may read each run of the account
   * where the page takes some: who asks for no total need not wait for it.
   */
  async list(
    { accountId }: RequestContext,
    args: ListRunsArgs,
    { withTotal = true, withInput = true }: AskedOfRuns = {},
  ): Promise<Page<Run>> {
    const filter = runFilter(accountId, args);
    if (filter === undefined) return toPage([], 0, args);
    const { where, values } = filter;
    const [items, [count]] = await Promise.all([
      this.db.select(
        Run,
        `SELECT ${withInput ? COLUMNS : WITHOUT_INPUT} FROM runs r WHERE ${where}
         ORDER BY r.id DESC LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
        [...values, args.perPage, offsetOf(args)],
      ),
      withTotal
        ? this.db.query<{ total: number }>(
            `SELECT count(*) AS total FROM (SELECT 1 FROM runs r WHERE ${where} LIMIT ${COUNT_LIMIT}) counted`,
            values,
          )
        : [],
    ]);
    return toPage(items, count?.total ?? 0, args);
  }

  /** Pages of the runs of many workflows, by one statement; a key's `filter` is a status. */
  ofWorkflows({ accountId }: RequestContext, keys: readonly LinkKey[], withInput = true): Promise<Page<Run>[]> {
    const statement = withInput ? OF_WORKFLOW : OF_WORKFLOW_WITHOUT_INPUT;
    return loadLinkedPages(this.db, Run, statement, accountId, keys);
  }

  /** The newest run of each of many workflows, by one statement; null where there is none. */
  async lastOfWorkflows({ accountId }: RequestContext, workflows: readonly string[]): Promise<(Run | null)[]> {
    const runs = await this.db.select(Run, LAST_OF_WORKFLOWS, [accountId, workflows]);
    const byWorkflow = new Map(runs.map((run) => [run.workflowUuid, run]));
    return workflows.map((workflow) => byWorkflow.get(workflow) ?? null);
  }

  /** @throws AppError `not_found`, or `unauthorized` when it is another account's. */
  async get({ accountId }: RequestContext, id: string, withInput = true): Promise<Run> {
    const uuid = fromPublicId('run', id);
    const run = uuid && (await selectRun(this.db, accountId, uuid, withInput));
    return run || Promise.reject(await missing(this.db, 'runs', uuid));
  }

  /** The runs of all accounts that have not ended, up to 100,000 of each status; for monitoring. */
  async countOpen(): Promise<Record<string, number>> {
    const rows = await this.db.query<{ status: string; total: number }>(
      `SELECT s.status, (SELECT count(*) FROM (
         SELECT 1 FROM runs r WHERE r.status = s.status AND r.finished_at IS NULL LIMIT 100000) r) AS total
       FROM unnest(ARRAY['queued', 'running']) s (status)`,
    );
    return Object.fromEntries(rows.map(({ status, total }) => [status, total]));
  }

  /** Runs by uuid, in the order asked; an error where one is gone. */
  async byUuid({ accountId }: RequestContext, uuids: readonly string[], withInput = true): Promise<(Run | AppError)[]> {
    const columns = withInput ? COLUMNS : WITHOUT_INPUT;
    const rows = await this.db.select(Run, `SELECT ${columns} FROM runs r WHERE r.account_id = $1 AND r.id = ANY($2)`, [
      accountId,
      uuids,
    ]);
    const found = new Map(rows.map((run) => [run.uuid, run]));
    return uuids.map((uuid) => found.get(uuid) ?? notFound('run'));
  }

  /** What a run was fired with; of those that were read without it by one more statement for all. */
  inputOf(context: RequestContext, run: Run): JsonText | null | Promise<JsonText | null> {
    if (run.inputText !== undefined) return jsonText(run.inputText);
    return context
      .loader(this, () => new DataLoader<string, Run>((uuids) => this.byUuid(context, uuids)))
      .load(run.uuid)
      .then(({ inputText }) => jsonText(inputText!));
  }

  /**
   * The steps of many runs, in the order of their actions, by one statement. Outputs may weigh 256 kB each: they are read
   * only when somebody asks for them, and only those of the places that are asked for.
   */
  async stepsOf({ accountId }: RequestContext, asked: readonly AskedSteps[]): Promise<Step[][]> {
    const columns = asked.some(({ withOutput }) => withOutput) ? STEP_COLUMNS : STEP_WITHOUT_OUTPUT;
    const places = asked.every(({ index }) => typeof index === 'number') ? asked.map(({ index }) => index) : null;
    const steps = await this.db.select(
      Step,
      `SELECT ${columns} FROM steps s
       WHERE s.account_id = $1 AND s.run_id = ANY($2) AND ($3::int[] IS NULL OR s.index = ANY($3)) ORDER BY s.index`,
      [accountId, asked.map(({ run }) => run), places],
    );
    const byRun = Map.groupBy(steps, ({ runUuid }) => runUuid);
    return asked.map(({ run, index }) => (byRun.get(run) ?? []).filter((step) => step.index === (index ?? step.index)));
  }

  /** Of many runs the steps of these names, by one statement; by none where there are no names. */
  async stepsNamed({ accountId }: RequestContext, runs: readonly string[], names: readonly string[]): Promise<Step[]> {
    if (names.length === 0) return [];
    return this.db.select(
      Step,
      `SELECT ${STEP_COLUMNS} FROM steps s WHERE s.account_id = $1 AND s.run_id = ANY($2) AND s.name = ANY($3)`,
      [accountId, runs, names],
    );
  }
}
