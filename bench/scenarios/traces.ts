import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Row, rowsOf } from '../report.js';
import { type Pace, runRounds } from '../rounds.js';
import { type World } from '../world.js';
import { get } from './get.js';
import { list } from './list.js';
import { type Scenario } from './scenario.js';

/** The service with traces of which a tenth is sampled, against the same one without. */
export async function measureTraces(world: World, pace: Pace): Promise<Row[]> {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const traced = await world.startService('api', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  });
  const both: World = { ...world, servers: { ...world.servers, other: traced } };
  const rows: Row[] = [];
  for (const define of [get, list]) {
    const scenario = withTraces(define(world.seed));
    rows.push(...rowsOf(scenario, await runRounds(both, scenario, pace)));
  }
  await traced.child.stop();
  collector.closeAllConnections();
  collector.close();
  return rows;
}

function withTraces({ contenders, ...scenario }: Scenario): Scenario {
  const plain = contenders.rest!;
  return {
    ...scenario,
    contenders: { plain, traced: { ...plain, on: 'other' } },
    comparisons: [
      { title: `REST: ${scenario.name}, with traces, 10 % sampled / without`, of: 'traced', to: 'plain', target: 0.85 },
    ],
  };
}
