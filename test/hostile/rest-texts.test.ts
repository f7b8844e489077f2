import { getNamedType } from 'graphql';
import { toRestName } from '../../src/transports/rest/names.js';
import { ROUTES } from '../../src/transports/rest/routes.js';
import { isForPersons, makeThings, type Sample, sampleRequests } from '../rest/openapi/sample-requests.js';
import { aFewAtATime } from '../support/a-few-at-a-time.js';
import { type Answer, Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { ACTION_CONFIGS, TRIGGER_CONFIGS } from './config-places.js';
import { isStorable, NASTY_TEXTS } from '../fuzz/nasty-texts.js';
import { BOUNDS, type TextPlace, textPlaces, textsIn, withText } from './text-places.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

/** An object as read back. */
async function read(path: string): Promise<unknown> {
  const { status, body } = await client.rest('GET', path);
  expect(status).toBe(200);
  return body;
}

/** Sends a text at one place of a route. @returns the response, and the stored value. */
async function send(
  { route, path, body }: Sample,
  place: TextPlace,
  text: string,
): Promise<{ answer: Answer; found: unknown }> {
  if (body === undefined) {
    const query = new URLSearchParams({ [place.path.join('.')]: text });
    return { answer: await client.rest('GET', `${path}?${query.toString()}`), found: text };
  }
  const answer = await client.rest(route.method, path, { body: withText(body, place, text) });
  if (answer.status >= 300) return { answer, found: undefined };
  const id = (answer.body.id ?? answer.body.integration_id) as string | undefined;
  // What is passed on to an application is not stored. An operation on many runs keeps the runs, not what selected them.
  if (isCall(route) || id?.startsWith('bulk_')) return { answer, found: text };
  // An object created below another one is read at its own URL.
  const collection = id?.startsWith('run_') ? 'runs' : path.split('/')[1]!;
  // An object that cannot be read has no text to compare.
  if (!ROUTES.some((other) => other.method === 'GET' && other.path === `/${collection}/{id}`))
    return { answer, found: text };
  return { answer, found: await read(route.method === 'PUT' ? path : `/${collection}/${id}`) };
}

/** Whether the service has no documented reason to refuse a text there. */
function mustTake(operation: string, { path }: TextPlace, text: string): boolean {
  const bounds = BOUNDS[`${operation} ${path.join('.')}`];
  const length = Array.from(text).length;
  return bounds !== undefined && isStorable(text) && length >= bounds[0] && length <= bounds[1];
}

/** Whether a route passes a request on to an application. */
function isCall({ operation }: Sample['route']): boolean {
  return operation === 'CallIntegration' || operation === 'CallConnection';
}

/** The statuses of a refusal: an application may refuse credentials, and a selector may name no connection. */
function refusals(operation: string, { path }: TextPlace, text: string): RegExp {
  // Of many answers a wait takes the first.
  if (operation === 'AnswerWait') return /^40[09]$/;
  if (path.includes('credentials') && isStorable(text)) return /^[45]/;
  return path[0] === 'connection' && isStorable(text) ? /^40[04]$/ : /^400$/;
}

/** What is never shown again. */
function isSecret({ path }: TextPlace): boolean {
  return path.includes('credentials') || path.includes('events_secret');
}

async function tryAll(sample: Sample, place: TextPlace): Promise<number> {
  const { operation } = sample.route;
  for (const text of NASTY_TEXTS) {
    // In an address a lone surrogate can't be written, and node:http takes no longer ones.
    if (sample.body === undefined && (!text.isWellFormed() || text.length > 2_000)) continue;
    const { answer, found } = await send(sample, place, text);
    const at = [operation, place.path.join('.'), text.slice(0, 300)];
    if (answer.status >= 300) {
      expect([...at, String(answer.status)]).toEqual([...at, expect.stringMatching(refusals(operation, place, text))]);
      expect([...at, mustTake(operation, place, text)]).toEqual([...at, false]);
    } else if (text !== '' && !isSecret(place)) {
      expect([...at, textsIn(found).includes(text)]).toEqual([...at, true]);
      expect([...at, isStorable(text)]).toEqual([...at, true]);
    }
  }
  return 1;
}

describe('every text field of every route', () => {
  // In parts, since all together take a minute on an idle machine.
  it.each([0, 1, 2, 3])(
    'gives each of many nasty texts back as it was sent, or refuses it with 400: part %i',
    async (part) => {
      // An account has 50 webhooks at most.
      client = new Client(server.baseUrl, await server.key('read-write', `part ${part}`));
      const samples = (await sampleRequests(client, await makeThings(client, server.db))).filter(
        // Refused before the body is read.
        ({ route }) => !isForPersons(route),
      );
      const places = samples.flatMap(({ route, parameters }) =>
        parameters
          .filter(({ name, type }) => getNamedType(type).name !== 'ID' && !route.path.includes(`{${name}}`))
          .flatMap(({ name, type }) => textPlaces(type, [name], toRestName))
          .map((place) => ({ route, place })),
      );
      const ofPart = places.filter((_, index) => index % 4 === part);
      const taken = await aFewAtATime(ofPart, async ({ route, place }) => {
        // Each with things of its own, since they are changed at the same time.
        const own = await sampleRequests(client, await makeThings(client, server.db));
        return tryAll(
          own.find((sample) => sample.route === route)!,
          place,
        );
      });
      expect(taken.length).toBeGreaterThan(3);
      expect(NASTY_TEXTS.length).toBeGreaterThan(60);
    },
  );
});

describe('a nasty text in the config', () => {
  const keepsOrRefuses = async (
    place: string,
    text: string,
    sent: unknown,
    answer: Answer,
    found: () => Promise<unknown>,
  ) => {
    const at = [place, text.slice(0, 300)];
    if (answer.status >= 300) expect([...at, answer.body.code]).toEqual([...at, 'validation_error']);
    else expect([...at, JSON.stringify(await found())]).toEqual([...at, JSON.stringify(sent)]);
    if (!isStorable(text)) expect([...at, answer.status]).toEqual([...at, 400]);
  };

  it.each(ACTION_CONFIGS)('of a %s action, as its %s, is kept as it is or refused', async (kind, place, configWith) => {
    const { workflow, integration } = await makeThings(client, server.db);
    const path = `/workflows/${workflow}/actions`;
    for (const texts of [NASTY_TEXTS.slice(0, 45), NASTY_TEXTS.slice(45)]) {
      const actions = texts.map((text, index) => ({ name: `a${index}`, kind, config: configWith(text, integration) }));
      const first = await client.rest('PUT', path, { body: { actions } });
      // Every action that is refused is named.
      const details = (first.body.details ?? []) as { field: string }[];
      const refused = new Set(details.map(({ field }) => Number(/^actions\.(\d+)\.config/.exec(field)![1])));
      texts.forEach(
        (text, index) => isStorable(text) || expect([place, text, refused.has(index)]).toEqual([place, text, true]),
      );
      const kept = actions.filter((_, index) => !refused.has(index));
      const second = await client.rest('PUT', path, { body: { actions: kept } });
      expect([place, second.status, second.body.details]).toEqual([place, 200, undefined]);
      expect(JSON.stringify(await read(path))).toBe(JSON.stringify({ actions: kept }));
    }
  });

  it.each(TRIGGER_CONFIGS)(
    'of a %s trigger, as its %s, is kept as it is or refused',
    async (type, place, configWith) => {
      const { workflow } = await makeThings(client, server.db);
      for (const text of NASTY_TEXTS) {
        const config = configWith(text, '');
        const answer = await client.rest('POST', '/triggers', { body: { workflow_id: workflow, type, config } });
        const found = async () => ((await read(`/triggers/${answer.body.id as string}`)) as { config: unknown }).config;
        await keepsOrRefuses(place, text, config, answer, found);
      }
    },
  );
});

describe('a nasty text beside the fields', () => {
  it('as the input of a run is kept as it is or refused', async () => {
    const { trigger } = await makeThings(client, server.db);
    const { webhook_url: url } = (await read(`/triggers/${trigger}`)) as { webhook_url: string };
    for (const text of NASTY_TEXTS) {
      const input = Object.fromEntries([[text, [text]]]);
      const posted = await client.send('POST', new URL(url).pathname, { body: input });
      if (posted.status === 400) continue;
      const run = (await read(`/runs/${posted.body.run_id as string}`)) as { input: unknown };
      expect(JSON.stringify(run.input)).toBe(JSON.stringify(input));
    }
  });

  it('as Idempotency-Key is taken when it is 1 to 255 visible ASCII characters, else refused', async () => {
    // fetch sends no others; white space at the ends of a header is no part of it.
    const sendable = NASTY_TEXTS.map((text) => text.trim()).filter((text) =>
      /^[\t\x20-\x7e\x80-\xff]{0,999}$/.test(text),
    );
    expect(sendable.length).toBeGreaterThan(30);
    for (const text of new Set(sendable)) {
      const headers = { 'idempotency-key': text };
      const { status } = await client.rest('POST', '/workflows', { body: { name: 'x' }, headers });
      expect([text, status]).toEqual([text, /^[\x21-\x7e]{1,255}$/.test(text) ? 201 : 400]);
    }
  });

  it('as X-Request-Id is given back when it is such an id, and replaced when not', async () => {
    for (const text of NASTY_TEXTS.map((nasty) => nasty.trim()).filter((nasty) => /^[\x20-\x7e]{0,999}$/.test(nasty))) {
      const { headers } = await client.rest('GET', '/workflows?per_page=1', { headers: { 'x-request-id': text } });
      const given = headers.get('x-request-id')!;
      expect(given).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect([text, given === text]).toEqual([text, /^[A-Za-z0-9._-]{1,128}$/.test(text)]);
    }
  });
});
