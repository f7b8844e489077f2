import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { until } from '../support/until.js';
import { ExampleWorld } from './example-world.js';

const ACTIONS = [{ name: 'own', kind: 'delay', config: { seconds: 1 } }];
/** Texts that hold those of the example, and its name with another description. */
const OTHERS = [
  { name: 'Import contacts', description: 'Of another team' },
  {
    name: 'Import contacts',
    description: 'Not: Of examples/on-behalf: its backend replaces the actions when it starts.',
  },
  {
    name: 'Import contacts twice',
    description: 'Of examples/on-behalf: its backend replaces the actions when it starts.',
  },
];

/** Those of the example. */
const { name, description } = JSON.parse(
  readFileSync(new URL('../../examples/on-behalf/workflow.json', import.meta.url), 'utf8'),
) as { name: string; description: string };

const USER = randomUUID();

let world: ExampleWorld;
const ids: string[] = [];
beforeAll(async () => {
  world = await ExampleWorld.open('on-behalf', async (client) => {
    // What a start leaves that ends before it makes the trigger.
    await client.rest('POST', '/workflows', { body: { name, description, status: 'active' } });
    for (const texts of OTHERS) {
      const { body } = await client.rest('POST', '/workflows', { body: { ...texts, status: 'active' } });
      await client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions: ACTIONS } });
      ids.push(body.id as string);
    }
  });
});
afterAll(() => world.close());

it('the example on behalf of users replaces the actions of its own workflow only', async () => {
  const client = new Client(world.gateway.baseUrl, world.apiKey);
  const actionsOf = async (id: string) => {
    const { body } = await client.rest('GET', `/workflows/${id}/actions`);
    return body.actions.map(({ name }: { name: string }) => name) as string[];
  };
  const { body } = await client.rest('GET', '/workflows');
  expect(body.data).toHaveLength(OTHERS.length + 1);
  const own = body.data.find(({ id }: { id: string }) => !ids.includes(id));
  expect(await actionsOf(own.id)).toEqual(['contacts']);
  for (const id of ids) expect(await actionsOf(id)).toEqual(['own']);
});

it('the example begins an import once, also if the response is lost, and the next one after that', async () => {
  const client = new Client(world.gateway.baseUrl, world.apiKey);
  const press = async () => {
    const { status } = await fetch(`${world.url}/import`, { method: 'POST', headers: { cookie: `user=${USER}` } });
    return status;
  };
  const runs = async () => (await client.rest('GET', '/runs')).body.meta.total as number;
  world.line.loseAnswers();
  expect(await press()).toBe(502);
  await until(async () => (await runs()) === 1);
  world.line.restore();
  expect([await press(), await runs()]).toEqual([200, 1]);
  expect([await press(), await runs()]).toEqual([200, 2]);
});
