import 'reflect-metadata';
import { readOptions } from './options.js';
import { profileScenario } from './profile.js';
import { machine, type Row, rowsOf, table } from './report.js';
import { assertSame, runRounds } from './rounds.js';
import { scenarios } from './scenarios/index.js';
import { withOtherBuild } from './scenarios/other-build.js';
import { measureSubscribers } from './scenarios/subscribers.js';
import { inWorld } from './world.js';

const { pace, crowd, only, profile, against } = readOptions(process.argv.slice(2));
const isWanted = (name: string): boolean => only?.has(name) ?? true;
const progress = (text: string): unknown => process.stderr.write(`${text}\n`);

progress('starting PostgreSQL and both servers, seeding 500,000 workflows …');
const rows = await inWorld(against, async (world): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const define of scenarios) {
    const scenario = against === undefined ? define(world.seed) : withOtherBuild(define(world.seed));
    if (!isWanted(scenario.name)) continue;
    progress(`${scenario.name} …`);
    await assertSame(world, scenario);
    if (profile === undefined) rows.push(...rowsOf(scenario, await runRounds(world, scenario, pace)));
    else await profileScenario(world, scenario, profile);
  }
  if (profile === undefined && isWanted('subscribers')) {
    progress('subscribers …');
    rows.push(...(await measureSubscribers(world, crowd)));
  }
  return rows;
});
if (profile === undefined) process.stdout.write(`\n${machine()}\n\n${table(rows)}\n`);
