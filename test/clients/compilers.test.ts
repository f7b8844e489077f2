import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { BLOCKS, describeWith } from './guide.js';

/** Reads runs, and follows their changes until one has succeeded. */
const PROGRAM = `
import { socket } from './environment.mjs';
import { followRuns, readRuns } from './live-runs.mjs';

console.log('latest', await readRuns());
const end = followRuns({
  onError: (error) => {
    console.error(error.message);
    process.exit(1);
  },
  onNext: ({ runStatusChanged: { run } }) => {
    console.log(run.id, run.status);
    if (run.status !== 'SUCCEEDED') return;
    end();
    void socket.dispose();
  },
});
`;

/** Generates the types of a query with the plugins and the configuration of the guide. */
const GENERATOR = `
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import * as documents from '@graphql-codegen/typed-document-node';
import { parse } from 'graphql';

const { BASE_URL, CONFIG } = process.env;
const schema = await (await fetch(BASE_URL + '/schema.graphql')).text();
const code = await codegen({
  filename: 'graphql.ts',
  schema: parse(schema),
  documents: [{ document: parse('query List { runs { items { id createdAt input } } }') }],
  plugins: [{ typescript: {} }, { operations: {} }, { documents: {} }],
  pluginMap: { typescript, operations, documents },
  config: JSON.parse(CONFIG),
});
console.log(code);
`;

let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterAll(() => world.close());

describeWith(['bash', 'curl'], 'the compilers of the guide', () => {
  it('Relay: compiles a connection, a page and a subscription, and they work through restarts', async () => {
    await world.copy.run('relay.sh');
    const { folder } = world.copy;
    const fragment = readFileSync(join(folder, '__generated__/runs_list.graphql.js'), 'utf8');
    expect(fragment).toContain('"connection"');
    world.copy.write('package.json', '{ "type": "module" }');
    world.copy.write('follow.mjs', PROGRAM);
    const repeated = await world.away();
    const following = world.copy.start('follow.mjs');
    await until(() => repeated.length > 0);
    await world.start();
    await until(() => following.lines.length > 0 || following.errors !== '');
    expect([following.errors, following.lines]).toEqual(['', [expect.stringMatching(/^latest rch_/)]]);
    await world.stop();
    await world.start();
    const { body } = await world.client.rest('POST', '/workflows', { body: { name: 'Followed' } });
    await world.client.rest('PUT', `/workflows/${body.id}`, { body: { status: 'active' } });
    await world.client.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'manual' } });
    const run = await world.client.rest('POST', `/workflows/${body.id}/runs`, { body: {} });
    expect(await following.exit).toBe(0);
    expect(following.lines.at(-1)).toBe(`${run.body.id} SUCCEEDED`);
  });

  it('graphql-codegen: types every scalar', async () => {
    const { generates } = JSON.parse(BLOCKS.get('codegen.json')!);
    const [{ plugins, config }] = Object.values<any>(generates) as [any];
    expect(plugins).toEqual(['typescript', 'typescript-operations', 'typed-document-node']);
    world.copy.write('generate.mjs', GENERATOR);
    const code = (await world.copy.run('generate.mjs', { CONFIG: JSON.stringify(config) })).join('\n');
    expect(code).toContain('items: Array<{ id: string, createdAt: string, input: unknown }>');
    expect(code).not.toMatch(/(?:input|output): any\b/);
  });
});

describe('the guide', () => {
  it('has no block without a test', () => {
    const tested = ['relay.sh', 'relay.config.json', 'runs.js', 'environment.mjs', 'live-runs.mjs', 'codegen.json'];
    const names = [...BLOCKS.keys()].filter((name) => !tested.includes(name)).sort();
    const sources = [
      'waiting-clients.ts',
      'mutations.test.ts',
      'requests.test.ts',
      'verify-webhook.test.ts',
      'connect-session.test.ts',
    ].map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
    const isNamed = (name: string) =>
      sources.some(
        (source) => source.includes(`'${name}'`) || source.includes(`\`${name.replace(/\w+$/, '')}\${extension}\``),
      );
    expect(names.filter((name) => !isNamed(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(12);
  });
});
