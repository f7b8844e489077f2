import 'reflect-metadata';
import { writeReport } from './document.js';
import { readOptions } from './options.js';
import { profileScenario } from './profile.js';
import { machine, type Row, rowsOf, table } from './report.js';
import { assertSame, runRounds } from './rounds.js';
import { measureRuns } from './runs/measure.js';
import { scenarios } from './scenarios/index.js';
import { withOtherBuild } from './scenarios/other-build.js';
import { measureSubscribers } from './scenarios/subscribers.js';
import { inWorld, type World } from './world.js';

const { pace, crowd, runs, only, write, profile, against } = readOptions(process.argv.slice(2));
const isWanted = (name: string): boolean => only?.has(name) ?? true;
const progress = (text: string): unknown => process.stderr.write(`${text}\n`);

/** The rows of everything that is wanted, each told as soon as it is there. */
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

progress('Starting PostgreSQL and both servers, seeding 500,000 workflows …');
const rows: Row[] = [];
await inWorld(against, async (world) => {
  for await (const row of measure(world)) {
    rows.push(row);
    progress(row.filter((cell) => cell !== '').join('   '));
  }
});
if (profile === undefined) {
  const report = `${machine()}\n\n${table(rows)}`;
  process.stdout.write(`\n${report}\n`);
  if (write) writeReport(report);
}
