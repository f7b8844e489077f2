import { randomUUID } from 'node:crypto';
import { type GraphQLSchema } from 'graphql';
import { accessOf } from '../../src/platform/graphql/access.js';
import { clientSchema } from '../rest/openapi/client-schema.js';
import { makeThings } from '../rest/openapi/sample-requests.js';
import { type RootField, rootFields } from '../security/root-fields.js';
import { askedFields, requestOf } from '../fuzz/graphql-requests.js';
import { aFewAtATime } from '../support/a-few-at-a-time.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { isStorable, NASTY_TEXTS } from '../fuzz/nasty-texts.js';
import { type TextPlace, textPlaces, textsIn, withText } from './text-places.js';

let server: TestServer;
let client: Client;
let schema: GraphQLSchema;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  schema = await clientSchema(new Client(server.baseUrl, await server.key()));
});
beforeEach(async () => {
  // A new account for each test: the limit of webhooks allows one test per account.
  client = new Client(server.baseUrl, await server.key('read-write', randomUUID()));
});
afterAll(() => server.close());

/** The mutations that a key may execute, with their arguments, on objects of this test. */
async function mutations(): Promise<RootField[]> {
  const fields = rootFields(schema, await makeThings(client, server.db));
  return fields.filter(({ operation, name }) => operation === 'mutation' && accessOf(name) !== 'person');
}

const PLACES = () => askedFields(schema, 'mutation').filter(({ field }) => accessOf(field.name) !== 'person');

/** Sends a text in variables or in the document. @returns what is answered, or the code of the refusal. */
async function send(root: RootField, place: TextPlace, text: string, inline: boolean) {
  const asked = PLACES().find(({ field }) => field.name === root.name)!;
  // In a document only names are keys.
  const isKey = !inline || /^[_A-Za-z]\w*$/.test(text);
  const variables = withText(whole(root.variables, place), place, text, isKey);
  const request = requestOf(schema, asked, { variables, inline });
  const { body } = await client.graphql(request.query, request.variables);
  return { found: body.data?.[root.name] as unknown, code: body.errors?.[0].extensions.code as string | undefined };
}

const SELECTOR = { type: 'sandbox_api_key', reference: 'sample' };

/** Variables in which a place inside the selector of a connection has the selector's other field beside it. */
function whole(variables: Record<string, any>, { path }: TextPlace): Record<string, any> {
  if (!path.includes('connection')) return variables;
  const { integrationId: _, ...input } = variables.input;
  return { ...variables, input: { ...input, connection: SELECTOR } };
}

/** How a text in a document may be refused beside what its field says of it. */
const IN_DOCUMENT = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT'];

/** @returns how many of the texts were taken. */
async function tryAll(root: RootField, place: TextPlace, inline: boolean): Promise<number> {
  let taken = 0;
  // What variables and documents differ in is the parser alone: every second text is enough for it.
  for (const text of NASTY_TEXTS.filter((_, index) => !inline || index % 2 === 0)) {
    const { found, code } = await send(root, place, text, inline);
    const at = [root.name, place.path.join('.'), text.slice(0, 300)];
    if (code !== undefined) {
      const isAsked = place.path.includes('credentials');
      const codes = [
        ...(inline ? IN_DOCUMENT : []),
        ...(isAsked ? ['INVALID_CREDENTIALS', 'CONFLICT'] : []),
        ...(place.path.includes('connection') ? ['NOT_FOUND'] : []),
        // Of many answers a wait takes the first.
        ...(root.name === 'answerWait' ? ['CONFLICT'] : []),
        ...(place.path.includes('expectedVersion') ? ['PRECONDITION_FAILED'] : []),
        'VALIDATION_ERROR',
      ];
      expect([...at, codes.includes(code) || code]).toEqual([...at, true]);
      continue;
    }
    taken += 1;
    expect([...at, isStorable(text) || place.path.includes('credentials')]).toEqual([...at, true]);
    const { id, webhook } = found as { id?: string; webhook?: { id: string } };
    // What is answered without the text can't give it back: the start of a flow, a session, an empty description.
    if (text === '' || !isGivenBack(root.name, place)) continue;
    expect([...at, textsIn(found).includes(text)]).toEqual([...at, true]);
    expect(id ?? webhook?.id).toBeDefined();
  }
  return taken;
}

/** Whether the answer of a mutation has what was sent at that place. */
function isGivenBack(name: string, { path }: TextPlace): boolean {
  const field = path.at(-1)!;
  const isThing = /^(create|update)(Workflow|Trigger|Webhook)$|^setWorkflowActions$/.test(name);
  return isThing && ['name', 'description', 'config', 'url'].includes(field);
}

// In parts, since all together take a minute on an idle machine.
describe.each([
  ['variables', false, 0],
  ['variables', false, 1],
  ['the document', true, 0],
  ['the document', true, 1],
])('every text field of every mutation, in %s', (_where, inline, part) => {
  it('gives each of many nasty texts back as it was sent, or refuses it', async () => {
    const places = PLACES().flatMap(({ field }) =>
      field.args
        .flatMap(({ name, type }) => textPlaces(type, [name], (inner) => inner))
        .map((place) => ({ field, place })),
    );
    const ofPart = places.filter((_, index) => index % 2 === part);
    const counts = await aFewAtATime(ofPart, async ({ field, place }) => {
      // Each with things of its own, since they are changed at the same time.
      const root = (await mutations()).find(({ name }) => name === field.name)!;
      return [root.name, place.path.join('.'), await tryAll(root, place, inline)] as const;
    });
    // Names, descriptions and configs take nearly all.
    const broad = ['createWorkflow input.name', 'updateWorkflow input.description', 'createTrigger input.config'];
    const takenOf = counts.filter(([name, path]) => broad.includes(`${name} ${path}`));
    const isBroad = ({ field, place }: (typeof places)[number]) =>
      broad.includes(`${field.name} ${place.path.join('.')}`);
    expect(places.filter(isBroad)).toHaveLength(broad.length);
    for (const [name, path, count] of takenOf) {
      expect([name, path, count > (inline ? 25 : 50)]).toEqual([name, path, true]);
    }
  });
});
