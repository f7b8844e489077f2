import { type EntityClass } from '../../platform/db/columns.js';
import { type Queryable } from '../../platform/db/database.js';
import { type Measured, measured, readRest, textColumns } from '../../platform/db/texts/measured-texts.js';
import { MANY_RUNS, MANY_STEPS, type Part, RUN_COLUMNS, STEP_COLUMNS } from './run-columns.js';
import { Run } from './run.entity.js';
import { Step } from './step.entity.js';

type WithTexts = Exclude<Part, 'none'>;

const runsWith = (part: WithTexts) => {
  const { texts, others } = MANY_RUNS[part];
  const { columns, join } = measured(texts, 'r.id');
  return {
    texts,
    first: `SELECT ${others}, ${columns} FROM runs r ${join} WHERE r.account_id = $1 AND r.id = ANY($2)`,
    rest: `SELECT r.id AS uuid, ${textColumns(texts)} FROM runs r WHERE r.account_id = $1 AND r.id = ANY($2)`,
  };
};
const RUNS = {
  none: `SELECT ${RUN_COLUMNS.none} FROM runs r WHERE r.account_id = $1 AND r.id = ANY($2)`,
  listed: runsWith('listed'),
  whole: runsWith('whole'),
};

/** The runs of an account that have these uuids, in no order. */
export async function selectRuns(
  db: Queryable,
  accountId: string,
  uuids: readonly string[],
  part: Part,
): Promise<Run[]> {
  if (part === 'none') return db.select(Run, RUNS.none, [accountId, uuids]);
  const { texts, first, rest } = RUNS[part];
  const runs = await db.select(Run as EntityClass<Run & Measured>, first, [accountId, uuids]);
  await readRest(runs, texts, async (portion) => {
    const asked = portion.map(({ uuid }) => uuid);
    const found = new Map((await db.query(rest, [accountId, asked])).map((row) => [row['uuid'] as string, row]));
    return asked.map((uuid) => found.get(uuid));
  });
  return runs;
}

/** Joins that choose steps of the runs $2, of some by $3. PostgreSQL looks up each pair by the primary key. */
const CHOICES = {
  all: '(VALUES ($2::uuid[])) p (runs) ON s.run_id = ANY(p.runs)',
  indexed: 'unnest($2::uuid[], $3::int[]) p (run, index) ON s.run_id = p.run AND s.index = p.index',
  named: 'unnest($2::uuid[], $3::text[]) p (run, name) ON s.run_id = p.run AND s.name = p.name',
};

/** Which steps of each run: all, or one with an index or a name. */
type Choice = keyof typeof CHOICES;

const steps = (columns: string, choice: Choice, join = '') =>
  `SELECT ${columns} FROM steps s JOIN ${CHOICES[choice]} ${join} WHERE s.account_id = $1`;
const inOrder = (sql: string) => `${sql} ORDER BY s.index`;

const stepsWith = (part: WithTexts) => {
  const { texts, others } = MANY_STEPS[part];
  const { columns, join } = measured(texts, 's.index, s.run_id');
  const first = (choice: Choice) => inOrder(steps(`${others}, ${columns}`, choice, join));
  return {
    texts,
    all: first('all'),
    indexed: first('indexed'),
    named: first('named'),
    rest: steps(`s.run_id AS run, s.index, ${textColumns(texts)}`, 'indexed'),
  };
};
const bare = (choice: Choice) => inOrder(steps(STEP_COLUMNS, choice));
const STEPS = {
  none: { all: bare('all'), indexed: bare('indexed'), named: bare('named') },
  listed: stepsWith('listed'),
  whole: stepsWith('whole'),
};

/** The steps of an account's runs, in the order of their indices. `chosen`: an index or a name for each run; pairs are unique. */
export async function selectSteps(
  db: Queryable,
  accountId: string,
  { runs, choice, chosen }: { runs: readonly string[]; choice: Choice; chosen?: readonly unknown[] },
  part: Part,
): Promise<Step[]> {
  const values = chosen === undefined ? [accountId, runs] : [accountId, runs, chosen];
  if (part === 'none') return db.select(Step, STEPS.none[choice], values);
  const { texts, rest, [choice]: first } = STEPS[part];
  const found = await db.select(Step as EntityClass<Step & Measured>, first, values);
  await readRest(found, texts, async (portion) => {
    const keys = [portion.map(({ runUuid }) => runUuid), portion.map(({ index }) => index)];
    const rows = await db.query(rest, [accountId, ...keys]);
    const byStep = new Map(rows.map((row) => [`${row['run']} ${row['index']}`, row]));
    return portion.map(({ runUuid, index }) => byStep.get(`${runUuid} ${index}`));
  });
  return found;
}
