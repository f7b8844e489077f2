import { mkdirSync, writeFileSync } from 'node:fs';
import { type Profiler } from 'node:inspector';
import { dirname, join } from 'node:path';
import { type Child } from './child.js';
import { driveOnce } from './rounds.js';
import { type Scenario } from './scenarios/scenario.js';
import { type World } from './world.js';

const MAX_LINES = 30;

/**
 * Profiles each contender of a scenario alone, after a warm-up. Writes `.cpuprofile` files, and prints the hot spots.
 */
export async function profileScenario(world: World, scenario: Scenario, folder: string): Promise<void> {
  for (const [name, { on }] of Object.entries(scenario.contenders)) {
    const { child } = world.servers[on];
    await driveOnce(world, scenario, name, 2_000);
    const { perSecond } = await profiled(child, join(folder, `${scenario.name}-${name}.cpuprofile`), () =>
      driveOnce(world, scenario, name, 3_000),
    );
    process.stdout.write(`${Math.round(perSecond)} requests/s under the profiler\n`);
  }
}

/** Profiles a service while `work` runs. Writes the profile to `file`, and prints the hot spots. */
export async function profiled<T>(child: Child, file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  await child.ask('startProfile');
  const result = await work();
  const profile = await child.ask<Profiler.Profile>('stopProfile');
  writeFileSync(file, JSON.stringify(profile));
  process.stdout.write(`\n${file}\n${summary(profile)}\n`);
  return result;
}

/** The self time of a profile by package, then by function, in percent of the time that was not idle. */
function summary({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): string {
  const callFrames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [places, functions] = [new Map<string, number>(), new Map<string, number>()];
  let busy = 0;
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = callFrames.get(id)!;
    if (functionName === '(idle)') return;
    const time = timeDeltas[index]!;
    busy += time;
    const place = placeOf(url);
    add(places, url === '' ? functionName || '(native)' : place, time);
    add(functions, `${functionName || '(anonymous)'}  ${place}${url === '' ? '' : `:${lineNumber + 1}`}`, time);
  });
  const lines = (times: Map<string, number>, most: number): string[] =>
    [...times]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([name, time]) => `  ${((100 * time) / busy).toFixed(1).padStart(5)} %  ${name}`);
  return [...lines(places, 20), '  by function:', ...lines(functions, MAX_LINES)].join('\n');
}

/** `pg`, `node:net`, `src/transports/rest/router.js`. */
function placeOf(url: string): string {
  const [, inPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  return inPackage ?? (/(?:src|bench)\/.*/.exec(url)?.[0] || url);
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time);
}
