import { type Clock } from '../../platform/clock.js';
import { type RequestContext } from '../../platform/context.js';
import { type Database, type Queryable } from '../../platform/db/database.js';
import {
  type LinkKey,
  linkStatement,
  type LinkStatement,
  loadLinkedPages,
} from '../../platform/db/pages/linked-pages.js';
import { queryOwned } from '../../platform/db/owned-rows.js';
import { COUNT_LIMIT, emptyPage, isFar, limitOf, type Page, type Span } from '../../platform/db/pages/pagination.js';
import { selectPage } from '../../platform/db/pages/select-page.js';
import { notFound } from '../../platform/errors.js';
import { positionOfList } from './feed/run-positions.js';
import { type Part, RUN_COLUMNS } from './run-columns.js';
import { Run } from './run.entity.js';
import { runFilter } from './run-filter.js';
import { type RunFilter } from './run.inputs.js';
import { OPEN_STATES } from './run-status.js';
import { selectRuns, selectSteps } from './run-texts.js';
import { type Step } from './step.entity.js';

const ofWorkflow = (part: Part): LinkStatement =>
  linkStatement({
    columns: RUN_COLUMNS[part],
    from: 'runs r',
    where: 'r.workflow_id = p.parent AND r.account_id = $1 AND (p.status IS NULL OR r.status = p.status)',
    filters: ['status'],
    id: 'r.id',
    countUpTo: COUNT_LIMIT,
  });
const OF_WORKFLOW = { none: ofWorkflow('none'), listed: ofWorkflow('listed'), whole: ofWorkflow('whole') };

/** The newest run of each workflow or trigger: what `by` names has an index. */
const lastOf = (by: 'workflow_id' | 'trigger_id') => `
  SELECT run.* FROM unnest($2::uuid[]) p (id) CROSS JOIN LATERAL (
    SELECT ${RUN_COLUMNS.none} FROM runs r WHERE r.${by} = p.id AND r.account_id = $1 ORDER BY r.id DESC LIMIT 1) run`;
const LAST_OF_WORKFLOWS = lastOf('workflow_id');
const LAST_OF_TRIGGERS = lastOf('trigger_id');

/** Runs of which a link reads the inputs at once, at most 16 kB of each. */
const AT_ONCE = 101;

/** A read of the steps of more runs, or of more chosen steps, is expensive: PostgreSQL looks up each of their outputs. */
const CHEAP_LOOKUPS = 50;

/** What a list of runs needs besides the runs themselves. */
export interface AskedOfRuns {
  withTotal?: boolean;
  input?: Part;
}

/** Which steps of a run to read: all, or the one with `index`. */
export interface AskedSteps {
  run: string;
  index?: number | null;
  output: Part;
}

/** Reads one run, with its whole input by default; undefined if there is none. */
export async function selectRun(
  on: Queryable,
  accountId: string,
  uuid: string,
  input: Part = 'whole',
): Promise<Run | undefined> {
  const [run] = await on.select(
    Run,
    `SELECT ${RUN_COLUMNS[input]}, true AS "isSingle" FROM runs r WHERE r.id = $1 AND r.account_id = $2`,
    [uuid, accountId],
  );
  return run;
}

/** Reads runs and their steps: single ones, lists, and links in batches. */
export class RunService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** The id behind which a listener resumes that has a list. Read it before the list, so that nothing is missed. */
  latestChange(): Promise<string> {
    return positionOfList(this.db, this.clock.now());
  }

  /**
   * Newest first. Filters with an unknown id or another account's id match nothing. Counting may read far more runs
   * than the page, so it happens only if the total was asked for.
   */
  async list(
    { accountId }: RequestContext,
    wanted: RunFilter,
    span: Span,
    { withTotal = true, input = 'listed' }: AskedOfRuns = {},
  ): Promise<Page<Run>> {
    const filter = runFilter(wanted);
    if (filter === undefined) return emptyPage(span, 'run');
    const { where, values, reads } = filter;
    const on = reads === 'many' || isFar(span) ? this.db.expensive : this.db;
    const runs = {
      entity: Run,
      prefix: 'run',
      columns: RUN_COLUMNS[input],
      from: 'runs r',
      accountId,
      where,
      values,
    } as const;
    return selectPage(on, { ...runs, countUpTo: COUNT_LIMIT }, span, withTotal ? this.db.expensive : null);
  }

  /** A page of runs for each of many workflows, with one statement. A key's `filter` is a status. */
  ofWorkflows({ accountId }: RequestContext, keys: readonly LinkKey[], input: Part): Promise<Page<Run>[]> {
    const size = keys.reduce((sum, key) => sum + limitOf(key), 0);
    // The inputs of more runs are read afterwards, in portions.
    return loadLinkedPages(this.db, Run, OF_WORKFLOW[size > AT_ONCE ? 'none' : input], accountId, keys);
  }

  /** The newest run of each workflow, with one statement; null without runs. */
  async lastOfWorkflows({ accountId }: RequestContext, workflows: readonly string[]): Promise<(Run | null)[]> {
    const runs = await this.db.select(Run, LAST_OF_WORKFLOWS, [accountId, workflows]);
    const byWorkflow = new Map(runs.map((run) => [run.workflowUuid, run]));
    return workflows.map((workflow) => byWorkflow.get(workflow) ?? null);
  }

  /** The newest run of each trigger, with one statement; null without runs. */
  async lastOfTriggers({ accountId }: RequestContext, triggers: readonly string[]): Promise<(Run | null)[]> {
    const runs = await this.db.select(Run, LAST_OF_TRIGGERS, [accountId, triggers]);
    const byTrigger = new Map(runs.map((run) => [run.triggerUuid, run]));
    return triggers.map((trigger) => byTrigger.get(trigger) ?? null);
  }

  /** @throws AppError `not_found`, or `unauthorized` if it belongs to another account. */
  async get({ accountId }: RequestContext, id: string, input: Part = 'whole'): Promise<Run> {
    return queryOwned(this.db, { table: 'runs', accountId, id }, async (uuid) => [
      await selectRun(this.db, accountId, uuid, input),
    ]);
  }

  /** Counts the open runs of all accounts, up to 100,000 per status, for monitoring. */
  async countOpen(): Promise<Record<string, number>> {
    const rows = await this.db.query<{ status: string; total: number }>(
      `SELECT s.status, (SELECT count(*) FROM (
         SELECT 1 FROM runs r WHERE r.status = s.status AND r.finished_at IS NULL LIMIT 100000) r) AS total
       FROM unnest(ARRAY[${OPEN_STATES}]) s (status)`,
    );
    return Object.fromEntries(rows.map(({ status, total }) => [status, total]));
  }

  /** Runs in the order of `uuids`; an error for each that no longer exists. */
  async byUuid({ accountId }: RequestContext, uuids: readonly string[], input: Part): Promise<(Run | Error)[]> {
    const rows = await selectRuns(this.db, accountId, uuids, input);
    const found = new Map(rows.map((run) => [run.uuid, run]));
    return uuids.map((uuid) => found.get(uuid) ?? notFound('run'));
  }

  /** Applies `read` to a run with its input. Loads missing inputs with one statement for all runs, as for lists. */
  withInput<T>(context: RequestContext, run: Run, read: (run: Run) => T): T | Promise<T> {
    if (run.inputText !== undefined) return read(run);
    return context.batch(this, run.uuid, (uuids) => this.byUuid(context, uuids, 'listed')).then(read);
  }

  /**
   * The steps of many runs, in action order, with one statement for each `Part` of outputs asked for, and more beyond
   * 1 MB. An output may have 256 kB: only those of the steps asked for are read.
   */
  async stepsOf(context: RequestContext, asked: readonly AskedSteps[]): Promise<Step[][]> {
    const found = new Map<AskedSteps, Step[]>();
    const ofAll = asked.find(({ output, index }) => output !== 'none' && typeof index !== 'number');
    // All steps are read with outputs anyway, so requests without outputs need no statement of their own.
    const partOf = ({ output }: AskedSteps): Part => (output === 'none' ? (ofAll?.output ?? output) : output);
    for (const [part, some] of Map.groupBy(asked, partOf)) {
      const steps = await this.stepsWith(part, context, some);
      const byRun = Map.groupBy(steps, ({ runUuid }) => runUuid);
      for (const one of some) {
        const { run, index } = one;
        found.set(
          one,
          (byRun.get(run) ?? []).filter((step) => step.index === (index ?? step.index)),
        );
      }
    }
    return asked.map((one) => found.get(one)!);
  }

  private stepsWith(part: Part, { accountId }: RequestContext, asked: readonly AskedSteps[]): Promise<Step[]> {
    const on = part !== 'none' && asked.length > CHEAP_LOOKUPS ? this.db.expensive : this.db;
    if (!asked.every(({ index }) => typeof index === 'number')) {
      return selectSteps(on, accountId, { runs: asked.map(({ run }) => run), choice: 'all' }, part);
    }
    const pairs = [...new Map(asked.map((one) => [`${one.run} ${one.index}`, one])).values()];
    const [runs, chosen] = [pairs.map(({ run }) => run), pairs.map(({ index }) => index)];
    return selectSteps(on, accountId, { runs, choice: 'indexed', chosen }, part);
  }

  /** The named steps of runs, with one statement for the first MB of their outputs. */
  async stepsNamed(
    { accountId }: RequestContext,
    asked: readonly { run: string; name: string }[],
  ): Promise<readonly Step[]> {
    if (asked.length === 0) return [];
    const [runs, chosen] = [asked.map(({ run }) => run), asked.map(({ name }) => name)];
    return selectSteps(this.db, accountId, { runs, choice: 'named', chosen }, 'whole');
  }
}
