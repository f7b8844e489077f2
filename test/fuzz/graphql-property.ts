import fc from 'fast-check';
import { getNamedType, isLeafType, isRequiredArgument } from 'graphql';
import {
  type AskedField,
  anyParameters,
  askedFields,
  operationsOf,
  type RandomOperation,
  requestOf,
  selectionOf,
} from './graphql-requests.js';
import { settings } from './runs.js';
import { FuzzWorld } from './world.js';

interface GraphqlAnswer {
  status: number;
  body: { data?: Record<string, any> | null; errors?: Record<string, any>[] };
}

/** Every query and mutation with random arguments over HTTP: no internal error; refused or executed as a whole. */
export function describeGraphqlFuzz(isLong: boolean): void {
  describe('random operations over HTTP', () => {
    let world: FuzzWorld;

    beforeAll(async () => {
      world = await FuzzWorld.open();
    });
    afterAll(() => world.close());

    it.each(['query', 'mutation'] as const)('of every %s are refused whole or done whole', async (operation) => {
      const fields = askedFields(world.schema, operation);
      for (const asked of fields) {
        const holds = fc.asyncProperty(operationsOf(asked), (random) => checkAnswer(world, asked, random));
        await fc.assert(holds, settings(isLong, fields.length));
      }
    });

    it('with any parameters are answered with data or with errors', async () => {
      const holds = fc.asyncProperty(anyParameters, async (parameters) => {
        const answer = await world.client.send('POST', '/graphql', { body: JSON.stringify(parameters) });
        expectAnswer(answer);
      });
      await fc.assert(holds, settings(isLong));
    });
  });
}

async function checkAnswer(world: FuzzWorld, asked: AskedField, operation: RandomOperation): Promise<void> {
  await world.prepare();
  const resolved = { ...operation, variables: world.resolve(operation.variables) as Record<string, unknown> };
  const before = await world.fingerprint();
  const { query, variables } = requestOf(world.schema, asked, resolved);
  const answer = await world.client.graphql(query, variables);
  expectAnswer(answer);
  const result = answer.body.data?.[asked.field.name];
  const isRefused = result === undefined || result === null;
  if (isRefused || asked.operation === 'query') expect(await world.fingerprint()).toEqual(before);
  else await expectWhole(world, asked, result);
}

/** Data or errors; each error with a documented code and no internal detail. */
function expectAnswer({ status, body }: GraphqlAnswer): void {
  expect(status).toBeLessThan(500);
  for (const { message, extensions, ...more } of body.errors ?? []) {
    expect(['locations', 'path']).toEqual(expect.arrayContaining(Object.keys(more)));
    expectCode(message, extensions);
  }
  if (body.errors === undefined) expect([status, body.data]).toEqual([200, expect.anything()]);
}

/** Codes of errors that may name fields. */
const DETAILED = ['VALIDATION_ERROR', 'BAD_USER_INPUT', 'INVALID_CREDENTIALS', 'NOT_FOUND', 'GONE'];

/** The part of an error that every transport has. */
export function expectCode(message: unknown, { code, details, requestId, ...more }: Record<string, any>): void {
  expect(message).toMatch(/./);
  expect(more).toEqual({});
  expect(requestId).toMatch(/./);
  expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  expect(code).not.toMatch(/INTERNAL|^UNAVAILABLE/);
  if (!DETAILED.includes(code as string)) expect(details).toBeUndefined();
}

/** What a mutation answered of a thing is what a query finds; what it deleted is gone. */
async function expectWhole(world: FuzzWorld, { field }: AskedField, result: any): Promise<void> {
  if (isLeafType(getNamedType(field.type))) {
    const name = field.name.replace(/^delete(.)/, (_, letter: string) => letter.toLowerCase());
    expect((await found(world, name, result as string, ' { id }')).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    return;
  }
  if (result.__typename === 'IntegrationAuthorization') {
    const { data } = await found(world, 'integration', result.integrationId as string, ' { version }');
    expect(data?.integration.version).toBe(result.version);
    return;
  }
  const name = (result.__typename as string).replace(/^./, (letter) => letter.toLowerCase());
  const query = world.schema.getQueryType()!.getFields()[name];
  // A delivery is found by its webhook too, which the result does not name.
  if (result.id === undefined || query === undefined || query.args.filter(isRequiredArgument).length > 1) return;
  const selection = selectionOf(world.schema, world.schema.getType(result.__typename as string)!, 2);
  expect((await found(world, name, result.id as string, selection)).data?.[name]).toEqual(result);
}

async function found(world: FuzzWorld, name: string, id: string, selection: string): Promise<GraphqlAnswer['body']> {
  return (await world.client.graphql(`query ($id: ID!) { ${name}(id: $id)${selection} }`, { id })).body;
}
