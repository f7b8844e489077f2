import 'reflect-metadata';
import { CAPACITY_HEAD, measureCapacity } from './capacity/measure.js';
import { writeReport } from './document.js';
import { measureEventLog } from './event-log.js';
import { measureNeighbours } from './neighbours/measure.js';
import { NEIGHBOURS_HEAD } from './neighbours/table.js';
import { readOptions } from './options.js';
import { profileScenario } from './profile.js';
import { HEAD, machine, type Row, rowsOf, table } from './report.js';
import { assertSame, runRounds } from './rounds.js';
import { measureRuns } from './runs/measure.js';
import { scenarios } from './scenarios/index.js';
import { withOtherBuild } from './scenarios/other-build.js';
import { measureSubscribers } from './scenarios/subscribers.js';
import { measureTraces } from './scenarios/traces.js';
import { SIZES } from './seed.js';
import { inWorld, type World } from './world.js';

const { pace, crowd, runs, neighbours, capacity, attacks, only, write, profile, against } = readOptions(
  process.argv.slice(2),
);
const isWanted = (name: string): boolean => only?.has(name) ?? true;
const isSelected = (attack: string): boolean => attacks.length === 0 || attacks.some((part) => attack.includes(part));
const progress = (text: string): unknown => process.stderr.write(`${text}\n`);

/** The rows of all selected measurements, each yielded as soon as it is measured. */
async function* measure(world: World): AsyncGenerator<Row> {
  for (const define of scenarios) {
    const scenario = against === undefined ? define(world.seed) : withOtherBuild(define(world.seed));
    if (!isWanted(scenario.name)) continue;
    await assertSame((server) => world.servers[server].port, scenario);
    if (profile === undefined) yield* rowsOf(scenario, await runRounds(world, scenario, pace));
    else await profileScenario(world, scenario, profile);
  }
  if (profile === undefined && isWanted('event-log')) yield* measureEventLog(world, pace);
  if (profile === undefined && isWanted('subscribers')) yield* await measureSubscribers(world, crowd);
  if (profile === undefined && isWanted('traces')) yield* await measureTraces(world, pace);
  if (profile === undefined && isWanted('runs')) yield* measureRuns(world, runs);
}

/** Measured only when named: the first takes half an hour, the second has a document of its own. */
const isNeighbours = only?.has('neighbours') ?? false;
const isCapacity = only?.has('capacity') ?? false;
const isSpeed = only === undefined || only.size > Number(isNeighbours) + Number(isCapacity);
/** Neighbours bring their own data. */
const isSmall = !isSpeed && !isCapacity;

progress('Starting PostgreSQL and both servers, seeding workflows …');
await inWorld(against, isSmall ? { large: 1_000, small: 1_000 } : SIZES, async (world) => {
  if (isSpeed) await tell('bench', HEAD, measure(world));
  if (isCapacity) await tell('capacity', CAPACITY_HEAD, measureCapacity(world, capacity));
  if (isNeighbours) {
    await tell(
      'neighbours',
      NEIGHBOURS_HEAD,
      measureNeighbours(world, neighbours, ({ name }) => isSelected(name), profile),
    );
  }
});

/** Prints each row as soon as it is measured, and all of them as a table at the end. */
async function tell(place: string, head: Row, rows: AsyncIterable<Row>): Promise<void> {
  const all: Row[] = [];
  for await (const row of rows) {
    all.push(row);
    progress(row.filter((cell) => cell !== '').join('   '));
  }
  if (profile !== undefined) return;
  const report = `${machine()}\n\n${table(all, head)}`;
  process.stdout.write(`\n${report}\n`);
  if (write) writeReport(place, report);
}
