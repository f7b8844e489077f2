import fc from 'fast-check';
import { type Route, ROUTES } from '../../src/transports/rest/routes.js';
import { type Answer } from '../support/http/client.js';
import { addressOf, type RandomRequest, requestsOf } from './rest-requests.js';
import { settings } from './runs.js';
import { FuzzWorld } from './world.js';

/** Every route of the table with random requests: answered as documented, refused whole or done whole. */
export function describeRestFuzz(isLong: boolean): void {
  describe('random requests', () => {
    let world: FuzzWorld;

    beforeAll(async () => {
      world = await FuzzWorld.open();
    });
    afterAll(() => world.close());

    it.each(ROUTES)('of $method $path are answered as documented, refused whole or done whole', async (route) => {
      await fc.assert(
        fc.asyncProperty(requestsOf(world.schema, route), (request) => holds(world, route, request)),
        settings(isLong, ROUTES.length),
      );
    });
  });
}

/** @throws Error of an assertion when the response is not one that docs/reference allows. */
async function holds(world: FuzzWorld, route: Route, request: RandomRequest): Promise<void> {
  await world.prepare();
  const { path, query, body, headers } = world.resolve(request) as RandomRequest;
  const address = addressOf(route, path, query);
  const before = await world.fingerprint();
  // Validates every response against the OpenAPI document.
  const answer = await world.client.rest(route.method, address, { body, headers });
  if (answer.status >= 400) expectRefusal(route, answer);
  if (answer.status >= 400 || route.method === 'GET') expect(await world.fingerprint()).toEqual(before);
  else if (!answer.headers.has('idempotent-replayed')) await expectWhole(world, route, address, body, answer);
}

function expectRefusal({ refusals = [] }: Route, { status, body }: Answer): void {
  const { code, message, details, ...more } = body;
  expect(more).toEqual({});
  expect(message).toMatch(/./);
  if (code === 'provider_unavailable') expect(refusals).toContain(code);
  else expect(status).toBeLessThan(500);
  if (code === 'validation_error') expect(details.length).toBeGreaterThan(0);
  else if (!['not_found', 'gone', 'invalid_credentials'].includes(code as string)) expect(details).toBeUndefined();
}

/** What an accepted request says of a thing is what is found there afterwards; what it deleted is gone. */
async function expectWhole(
  world: FuzzWorld,
  route: Route,
  address: string,
  sent: unknown,
  { body }: Answer,
): Promise<void> {
  const own = address.split('?', 1)[0]!;
  if (route.method === 'DELETE') {
    expect((await world.client.rest('GET', own)).status).toBe(404);
    return;
  }
  const id = (body?.id ?? body?.integration_id) as string | undefined;
  // The last noun of the path: a run of a workflow is among the runs. Many runs at once are an operation.
  const noun = route.path.split('/').findLast((part) => /^\w+s$/.test(part));
  const collection = id?.startsWith('bulk_') ? 'bulk' : noun!;
  const place = route.method === 'PUT' ? own : id === undefined ? undefined : `/${collection}/${id}`;
  if (place === undefined || !ROUTES.some(({ method, path }) => method === 'GET' && fits(path, place))) return;
  const found = await world.client.rest('GET', place);
  expect(found.status).toBe(200);
  for (const [name, value] of Object.entries(body as object)) {
    if (name in found.body) expect([name, found.body[name]]).toEqual([name, value]);
  }
  expectEcho(sent, found.body);
}

/** A field that was sent is found as it was sent, where the thing has it under the same name. */
function expectEcho(sent: unknown, found: Record<string, unknown>): void {
  if (typeof sent !== 'object' || sent === null) return;
  const { label, ...fields } = sent as Record<string, unknown>;
  if (typeof label === 'string') expect(found.name).toBe(label);
  for (const name of ['name', 'description', 'reference', 'config', 'actions', 'input', 'url', 'events']) {
    // Null is as good as nothing sent.
    if (!Object.hasOwn(found, name) || (fields[name] ?? null) === null) continue;
    // Fields that only look like one of this route's are ignored there.
    if (name === 'name' && 'connected_at' in found) continue;
    const sentValue = name === 'actions' ? (fields.actions as object[]).map(actionOf) : fields[name];
    expect(JSON.stringify(found[name])).toBe(JSON.stringify(sentValue));
  }
}

/** An action as it is kept: fields that no action has are ignored, as those of a body are. */
function actionOf(sent: object): object {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => ['name', 'kind', 'config'].includes(name)));
}

function fits(pattern: string, address: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address);
}
