import 'reflect-metadata';
import { writeReport } from './document.js';
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
import { SIZES } from './seed.js';
import { inWorld, type World } from './world.js';

const { pace, crowd, runs, neighbours, attack, only, write, profile, against } = readOptions(process.argv.slice(2));
const isWanted = (name: string): boolean => only?.has(name) ?? true;
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
  if (profile === undefined && isWanted('subscribers')) yield* await measureSubscribers(world, crowd);
  if (profile === undefined && isWanted('runs')) yield* measureRuns(world, runs);
}

/** Takes half an hour, so it runs only when named. */
const isNeighbours = only?.has('neighbours') ?? false;
const isAlone = isNeighbours && only!.size === 1;

progress('Starting PostgreSQL and both servers, seeding workflows …');
await inWorld(against, isAlone ? { large: 1_000, small: 1_000 } : SIZES, async (world) => {
  if (!isAlone) await tell('bench', HEAD, measure(world));
  if (isNeighbours) {
    await tell(
      'neighbours',
      NEIGHBOURS_HEAD,
      measureNeighbours(world, neighbours, ({ name }) => name.includes(attack)),
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
