import { RunWorld } from '../support/worlds/run-world.js';

const LINKS = `query ($id: ID!) { integration(id: $id) { eventsUrl eventsSecret } }`;

let world: RunWorld;
let event: { url: string; secret: string; event: string; payload: object };
beforeAll(async () => {
  world = await RunWorld.open();
  const { client } = world;
  const credentials = { api_key: 'sandbox_valid_key' };
  const connected = await client.rest('POST', '/integrations/connect', {
    body: { type: 'sandbox_api_key', credentials },
  });
  const { eventsUrl, eventsSecret } = (await client.graphql(LINKS, { id: connected.body.id })).body.data.integration;
  event = { url: eventsUrl, secret: eventsSecret, event: 'item.created', payload: { item: { id: 'item_1' } } };
});
afterAll(() => world.close());

/** A workflow that posts each event to the target. */
async function workflow(): Promise<string> {
  const { id } = await world.workflow([world.call('told', { body: '{{ trigger.body.item.id }}' })]);
  const config = { event: 'item.created' };
  const { body } = await world.client.rest('POST', '/triggers', {
    body: { workflow_id: id, type: 'app_event', config },
  });
  return body.id;
}

const send = (body: unknown, headers: Record<string, string> = {}) =>
  world.client.send('POST', '/sandbox/events', { body, headers });

describe('POST /sandbox/events', () => {
  it('posts a signed event, which fires workflows offline', async () => {
    const trigger = await workflow();
    const { status, body } = await send(event);
    expect([status, body]).toEqual([
      200,
      {
        delivery_id: expect.stringMatching(/^evt_/),
        status: 202,
        answer: { accepted: true, run_ids: [expect.stringMatching(/^run_/)] },
      },
    ]);
    const run = await world.ended(body.answer.run_ids[0]);
    expect(run).toMatchObject({ status: 'succeeded', trigger_id: trigger, input: event.payload });
    expect(world.received.at(-1)!.body).toBe('"item_1"');
    const again = await send({ ...event, delivery_id: body.delivery_id });
    expect(again.body).toEqual(body);
  });

  it('carries the hops of its request on, as a post to the events URL does', async () => {
    const { body } = await send(event, { 'workflow-hops': '5' });
    expect(body.answer.run_ids).not.toEqual([]);
    for (const id of body.answer.run_ids as string[])
      expect((await world.client.rest('GET', `/runs/${id}`)).body.status).toBe('skipped');
  });

  it('returns the receiver’s response', async () => {
    expect((await send({ ...event, secret: 'another secret' })).body).toMatchObject({
      status: 401,
      answer: { code: 'unauthorized' },
    });
  });

  it('sends only to the events URLs of this service', async () => {
    const token = event.url.split('/').at(-1);
    for (const url of [
      'http://169.254.169.254/',
      `http://127.0.0.1:1/events/${token}`,
      `${world.server.baseUrl}/v1/events/${token}`,
      `${world.server.baseUrl}/events/${token}?x=1`,
      `${world.server.baseUrl}/events/x`,
      `${world.server.baseUrl}@evil.example/events/${token}`,
    ]) {
      const { status, body } = await send({ ...event, url });
      expect([url, status, body.error]).toEqual([url, 400, 'invalid_request']);
    }
  });

  it.each(['url', 'secret', 'event'])('refuses a body without %s', async (name) => {
    const { status, body } = await send({ ...event, [name]: '' });
    expect([status, body]).toEqual([400, { error: 'invalid_request', error_description: `${name} is required.` }]);
    expect((await send({ ...event, [name]: ['x'] })).status).toBe(400);
  });

  it.each([{ event: 'line\nbreak' }, { delivery_id: 'line\r\nX-Header: 1' }])('refuses %j', async (odd) => {
    const { status, body } = await send({ ...event, ...odd });
    expect([status, body.error]).toEqual([400, 'not_delivered']);
  });
});

describe('a body of POST /sandbox/events', () => {
  it('has at most 64 kB', async () => {
    const sized = (bytes: number) => {
      const empty = { ...event, payload: '' };
      return send({ ...empty, payload: 'x'.repeat(bytes - JSON.stringify(empty).length) });
    };
    expect((await sized(65_536)).status).toBe(200);
    expect(await sized(65_537)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('nests at most 200 levels', async () => {
    const nested = (levels: number) => send({ ...event, payload: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) });
    expect((await nested(199)).status).toBe(200);
    expect(await nested(200)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

describe('the page of /sandbox/events', () => {
  it('sends the payload of its form unchanged, and shows the response', async () => {
    const form = await world.client.send<string>('GET', '/sandbox/events');
    expect([form.status, form.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const name of ['url', 'secret', 'event', 'payload', 'delivery_id'])
      expect(form.body).toContain(`name="${name}"`);
    await workflow();
    const fields = { ...event, payload: '{ "item": {"id": "<b>"} }', delivery_id: '' };
    const { status, body } = await world.client.send<string>('POST', '/sandbox/events', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(200);
    expect(body).toContain('The event was accepted');
    expect(body).toMatch(/&quot;run_ids&quot;:\[&quot;run_/);
    expect(body).not.toContain('<b>');
  });
});
