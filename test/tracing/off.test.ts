import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { RunWorld } from '../support/worlds/run-world.js';

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('a trace is neither begun nor handed on', async () => {
    const world = await RunWorld.open();
    const { hook } = await world.workflow([world.call('plain')]);
    const headers = { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` };
    const { body } = await world.client.send('POST', hook, { body: {}, headers });
    await world.ended(body.run_id);
    expect(world.received[0]!.headers).not.toHaveProperty('traceparent');
    expect(world.server.logs.join('\n')).not.toContain('trace_id');
    await world.close();
  });

  it('the SDK is not loaded: one file imports it, and that file is imported on demand', () => {
    const sources = globSync('src/**/*.ts', { cwd: packageRoot }).map((file) => ({
      file,
      text: readFileSync(join(packageRoot, file), 'utf8'),
    }));
    const importing = (what: RegExp) => sources.filter(({ text }) => what.test(text)).map(({ file }) => file);
    expect(importing(/from '@opentelemetry\//)).toEqual(['src/process/tracing/otel.ts']);
    expect(importing(/tracing\/otel\.js'/)).toEqual(['src/process/open-platform.ts']);
    expect(importing(/from '[^']*tracing\/otel\.js'/)).toEqual([]);
  });
});
