import { getNamedType, type GraphQLInputType } from 'graphql';
import { accessOf } from '../../src/platform/graphql/access.js';
import { clientSchema } from '../rest/openapi/client-schema.js';
import {
  isForPersons,
  kindOf,
  makeThings,
  type Sample,
  sampleRequests,
  type Things,
} from '../rest/openapi/sample-requests.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { makeUser, signedIn } from '../support/worlds/people.js';
import { databaseState } from '../support/database/database-state.js';
import { firstEvent } from './event-stream.js';
import { type IdPlace, type RootField, rootFields, withId } from './root-fields.js';

const NOBODY = '01h455vb4pex5vsknk084sn02q';

let server: TestServer;
let stranger: Client;
/** What the stranger has, for all places but the one that is tried. */
let own: Things;
let foreign: Things;
let samples: Sample[];
let fields: RootField[];

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  const owner = new Client(server.baseUrl, await server.key());
  stranger = new Client(server.baseUrl, await server.key('read-write', 'stranger'));
  [foreign, own] = [await makeThings(owner, server.db), await makeThings(stranger, server.db)];
  samples = await sampleRequests(stranger, own);
  fields = rootFields(await clientSchema(stranger), own);
  await new Promise((resolve) => setTimeout(resolve, 200));
});
afterAll(() => server.close());

/** A well-formed unknown id, and malformed ids. */
const unknownIds = (id: string) => [id.replace(/_.*/, `_${NOBODY}`), 'nonsense', '', `${id}x`, id.toUpperCase()];

function idOf(things: Things, kind: string, what: string): string {
  const id = things[kind];
  if (id === undefined) throw new Error(`${what} names a ${kind}: let makeThings make one, so that it is tried here.`);
  return id;
}

/** The log does not tell a foreign event from one that it no longer has. */
function codeOf({ kind }: IdPlace, code: string): string {
  return kind === 'event' ? 'GONE' : code;
}

/** Whether a parameter names a resource; `after` names a place in a list, which any id has. */
function isOfThing({ name, type }: { name: string; type: GraphQLInputType }): boolean {
  return getNamedType(type).name === 'ID' && name !== 'after';
}

describe('an id of another account in REST', () => {
  /** A sample with another id at `{name}` of the path, or at `name` of body or query. */
  function send({ route, path, body }: Sample, name: string, from: string, id: string) {
    const code = encodeURIComponent(id);
    if (route.path.includes(`{${name}}`)) {
      return stranger.rest(route.method, path.replace(from, code), body ? { body } : {});
    }
    if (body !== undefined) return stranger.rest(route.method, path, { body: { ...body, [name]: id } });
    return stranger.rest(route.method, `${path}?${name}=${code}`);
  }

  it('is 401 with a challenge in path and body, matches nothing in a filter; an unknown one is 404; nothing changes', async () => {
    const before = await databaseState(server.db);
    let tried = 0;
    for (const sample of samples.filter(({ route }) => !isForPersons(route))) {
      const { route, parameters } = sample;
      for (const { name } of parameters.filter(isOfThing)) {
        const kind = kindOf(route, name);
        const [mine, theirs] = [idOf(own, kind, route.operation), idOf(foreign, kind, route.operation)];
        const isFilter = route.method === 'GET' && !route.path.includes(`{${name}}`);
        const answer = await send(sample, name, mine, theirs);
        expect([route.operation, name, answer.status]).toEqual([route.operation, name, isFilter ? 200 : 401]);
        if (isFilter) expect(answer.body).toMatchObject({ data: [], meta: { total: 0 } });
        else {
          expect(answer.headers.get('www-authenticate')).toBe('Bearer');
          expect(answer.body).toEqual({ code: 'unauthorized', message: expect.any(String) });
        }
        for (const unknown of unknownIds(theirs)) {
          // An empty part is another path.
          if (unknown === '' && route.path.includes(`{${name}}`)) continue;
          const { status, body } = await send(sample, name, mine, unknown);
          const expected = isFilter ? [200, undefined] : [404, 'not_found'];
          expect([route.operation, name, unknown, status, body.code]).toEqual([
            route.operation,
            name,
            unknown,
            ...expected,
          ]);
        }
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(15);
    expect(await databaseState(server.db)).toEqual(before);
  });
});

describe('an id of another account in GraphQL', () => {
  async function ask({ operation, query }: RootField, variables: Record<string, unknown>) {
    if (operation === 'subscription') return firstEvent(stranger, query, variables, 1_000);
    return (await stranger.graphql(query, variables)).body;
  }

  const isConnection = ({ name }: RootField) => name.endsWith('Connection');
  const totalOf = (field: RootField, list: any): number => (isConnection(field) ? list.totalCount : list.meta.total);
  /** The page that a list field gives, with its total. */
  const counted = (field: RootField): RootField => ({
    ...field,
    query: field.query.replace('{ __typename }', isConnection(field) ? '{ totalCount }' : '{ meta { total } }'),
  });

  const places = () =>
    fields
      .filter(({ name }) => accessOf(name) !== 'person')
      .flatMap((field) =>
        field.ids
          // In a list, `after` names a place.
          .filter(({ path }) => !field.isList || path.at(-1) !== 'after')
          .map((place): [RootField, IdPlace] => [field.isList ? counted(field) : field, place]),
      );

  it('is UNAUTHORIZED, or matches nothing in a filter; an unknown one is NOT_FOUND; nothing changes', async () => {
    const before = await databaseState(server.db);
    for (const [field, place] of places()) {
      const theirs = idOf(foreign, place.kind, field.name);
      const answer = (await ask(field, withId(field, place, theirs)))!;
      const at = [field.name, ...place.path];
      if (field.isList) {
        expect([at, answer.errors, totalOf(field, answer.data[field.name])]).toEqual([at, undefined, 0]);
        continue;
      }
      expect([at, answer.errors?.[0].extensions.code]).toEqual([at, codeOf(place, 'UNAUTHORIZED')]);
      expect([answer.data?.[field.name] ?? null].flat()).toEqual([null]);
      for (const unknown of unknownIds(theirs)) {
        const missed = await ask(field, withId(field, place, unknown));
        expect([at, unknown, missed?.errors?.[0].extensions.code]).toEqual([at, unknown, codeOf(place, 'NOT_FOUND')]);
      }
    }
    expect(places().length).toBeGreaterThan(15);
    expect(await databaseState(server.db)).toEqual(before);
  });
});

describe('an id of another account, to a person,', () => {
  it('is what an unknown one is: 404 and NOT_FOUND, over every door', async () => {
    const { client: person } = await signedIn(server, { account: 'stranger' });
    await makeUser(server, { account: 'stranger' });
    const before = await databaseState(server.db);
    let tried = 0;
    for (const sample of samples.filter(({ route }) => route.path.includes('{') && !isForPersons(route))) {
      const { route, body, parameters } = sample;
      const { name } = parameters.find((parameter) => route.path.includes(`{${parameter.name}}`))!;
      const kind = kindOf(route, name);
      const at = (id: string) => sample.path.replace(idOf(own, kind, route.operation), id);
      const [theirs, nobodys] = [
        idOf(foreign, kind, route.operation),
        unknownIds(idOf(own, kind, route.operation))[0]!,
      ];
      const [answer, unknown] = [
        await person.rest(route.method, at(theirs), body ? { body } : {}),
        await person.rest(route.method, at(nobodys), body ? { body } : {}),
      ];
      expect([route.operation, answer.status, answer.body]).toEqual([route.operation, 404, unknown.body]);
      tried += 1;
    }
    for (const field of fields.filter(({ name, isList }) => accessOf(name) !== 'person' && !isList)) {
      for (const place of field.ids) {
        const variables = withId(field, place, idOf(foreign, place.kind, field.name));
        const answer =
          field.operation === 'subscription'
            ? await firstEvent(person, field.query, variables, 1_000)
            : (await person.graphql(field.query, variables)).body;
        expect([field.name, ...place.path, answer?.errors?.[0].extensions.code]).toEqual([
          field.name,
          ...place.path,
          codeOf(place, 'NOT_FOUND'),
        ]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(30);
    expect(await databaseState(server.db)).toEqual(before);
  });
});
