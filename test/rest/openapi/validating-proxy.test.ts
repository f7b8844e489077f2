import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { ROUTES } from '../../../src/transports/rest/routes.js';
import { Client } from '../../support/http/client.js';
import { type SignedIn, signedIn } from '../../support/worlds/people.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { ValidatingProxy } from '../../support/http/validating-proxy.js';
import { isForPersons, makeThings, type Sample, sampleRequests, type Things } from './sample-requests.js';

/** The document as a tool of others reads it: every route through a proxy that validates requests and responses. */
describe('through a validating proxy', () => {
  let server: TestServer;
  let proxy: ValidatingProxy;
  let direct: Client;
  let reader: string;
  let person: SignedIn;
  let shared: Things;
  let count = 0;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
    proxy = await ValidatingProxy.start(server.baseUrl);
    direct = new Client(server.baseUrl, await server.key());
    reader = await server.key('read-only');
    person = await signedIn(server);
    shared = await makeAll();
  });
  afterAll(async () => {
    await proxy.stop();
    await server.close();
  });

  const makeAll = async (): Promise<Things> => {
    const { body } = await person.client.rest('POST', '/api_keys', { body: { label: 'sample', scope: 'read-only' } });
    return { ...(await makeThings(direct, server.db)), api_key: body.api_key.id };
  };
  const ask = async (key: string | undefined, { route, path, body }: Sample, headers?: Record<string, string>) => {
    count += 1;
    const isEmpty = Object.keys(body ?? {}).length === 0;
    return new Client(proxy.baseUrl, key, headers).rest(route.method, path, isEmpty ? {} : { body });
  };

  it.each(ROUTES)('$method $path answers what it is asked, and refuses it', async (route) => {
    // What changes, each on things of its own.
    const things = route.method === 'GET' ? shared : await makeAll();
    const sampleOf = async (ids: Things) =>
      (await sampleRequests(direct, ids)).find((one) => one.route === route) as Sample;
    const sample = await sampleOf(things);

    expect((await ask(undefined, sample)).status).toBe(401);
    if (route.method !== 'GET') expect((await ask(reader, sample)).status).toBe(403);
    const answer = isForPersons(route)
      ? await ask(undefined, sample, { origin: server.baseUrl, cookie: person.cookie })
      : await ask(direct.key, sample);
    expect(String(answer.status)).toMatch(/^2/);
    await ask(direct.key, await sampleOf(withoutTargets(things)));
    const wrong = faulty(sample);
    if (wrong !== undefined) expect((await ask(direct.key, wrong)).status).toBeGreaterThanOrEqual(400);
    // An account may have 50.
    if (things !== shared) await direct.rest('DELETE', `/webhooks/${things.webhook}`);
  });

  it('all of which is as the document says', async () => {
    const { run, problems } = await proxy.stop();
    expect([run.totalExchanges, run.documentedExchanges]).toEqual([count, count]);
    expect(problems.filter(({ target, status }) => target === 'response' || status < 400)).toEqual([]);
    // It reads requests too: it knows the faulty ones.
    expect(problems.length).toBeGreaterThan(10);
  });
});

describe('the validating proxy', () => {
  it('finds a response that is not as the document says', async () => {
    const other = createServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json', 'x-request-id': 'a' });
      response.end('{"code":"conflict","message":""}');
    }).listen(0);
    const proxy = await ValidatingProxy.start(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    await fetch(`${proxy.baseUrl}/v1/workflows/wf_1`, { headers: { authorization: 'Bearer key' } });
    const { problems } = await proxy.stop();
    other.close();
    expect(problems.map(({ target, status }) => [target, status])).toEqual([['response', 404]]);
  });
});

/** The same ids of things that don't exist. */
function withoutTargets(things: Things): Things {
  const nothing = Object.entries(things).map(([thing, id]) => [
    thing,
    id!.replace(/_.*/, '_01h455vb4pex5vsknk084sn02q'),
  ]);
  return Object.fromEntries(nothing) as Things;
}

/** The request with a parameter, or a body, of wrong types; undefined where nothing can be wrong. */
function faulty(sample: Sample): Sample | undefined {
  if (sample.body !== undefined) {
    return Object.keys(sample.body).length === 0
      ? undefined
      : { ...sample, body: Object.fromEntries(Object.keys(sample.body).map((name) => [name, 1])) };
  }
  const number = sample.parameters.find(({ type }) => String(type).startsWith('Int'));
  return number && { ...sample, path: `${sample.path}?${number.name}=x` };
}
