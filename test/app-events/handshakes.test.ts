import { EventWorld, type Source } from './event-world.js';
import { signed } from './sign.js';

let world: EventWorld;
beforeAll(async () => {
  world = await EventWorld.open();
});
afterAll(() => world.close());

const seconds = () => Math.floor(world.server.clock.now().getTime() / 1_000);

async function ask(source: Source, method: string, query: Record<string, string>, body?: string): Promise<any> {
  const url = `${world.server.baseUrl}${source.path}?${new URLSearchParams(query).toString()}`;
  const response = await fetch(url, { method, ...(body === undefined ? {} : { body }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function runs(): Promise<number> {
  return (await world.client.rest('GET', '/runs')).body.meta.total;
}

describe('the handshake of Slack', () => {
  const body = JSON.stringify({
    token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl',
    challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
    type: 'url_verification',
  });

  it('echoes the challenge of a signed url_verification, and fires nothing', async () => {
    const source = await world.connect('slack_like');
    await world.trigger({ event: 'thing.made', integration_id: source.id });
    const response = await fetch(world.server.baseUrl + source.path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...signed.slack_like(seconds(), body) },
    });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P',
    ]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await runs()).toBe(0);
  });

  it('is refused without a signature', async () => {
    const answer = await world.post(await world.connect('slack_like'), body);
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
  });

  it('is not a handshake of another application', async () => {
    const answer = await world.post(await world.connect('unsigned'), body);
    expect([answer.status, answer.body]).toEqual([202, { accepted: true, run_ids: [] }]);
  });
});

describe('the handshake of Meta', () => {
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' };

  it.each(['meta_like', 'unsigned_meta'])('of %s echoes hub.challenge to a request with the secret', async (type) => {
    const source = await world.connect(type);
    expect(source.secret).toEqual(expect.stringMatching(/^[\w-]{43}$/));
    const right = { ...query, 'hub.verify_token': source.secret! };
    expect(await ask(source, 'GET', right)).toMatchObject({ status: 200, text: '1158201444' });
    expect(await ask(source, 'HEAD', right)).toMatchObject({ status: 200, text: '' });
    for (const wrong of ['', 'x', `${source.secret}x`]) {
      const { status, text } = await ask(source, 'GET', { ...query, 'hub.verify_token': wrong });
      expect([status, JSON.parse(text).code]).toEqual([401, 'unauthorized']);
    }
    const { status, headers } = await ask(source, 'GET', {});
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('is answered at no other URL', async () => {
    const source = await world.connect('unsigned');
    const { status, headers } = await ask(source, 'GET', { ...query, 'hub.verify_token': 'x' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is followed by signed events', async () => {
    const source = await world.connect('meta_like');
    const body = '{"object":"thing.made","entry":[{"id":"1"}]}';
    const trigger = await world.trigger({ event: 'thing.made', integration_id: source.id });
    expect((await world.post(source, body)).status).toBe(401);
    const { status, body: answer } = await world.post(source, body, signed.meta_like(source.secret!, body));
    expect([status, answer.run_ids?.length, await world.count(trigger)]).toEqual([202, 1, 1]);
  });
});

describe('the handshake of Microsoft Graph', () => {
  const token = 'Validation: Testing client application reachability for subscription Request-Id: <b>é</b>';

  it('answers validationToken as text, without a body, and fires nothing', async () => {
    const before = await runs();
    const source = await world.connect('graph_like');
    const { status, headers, text } = await ask(source, 'POST', { validationToken: token });
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/plain; charset=utf-8', token]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(await runs()).toBe(before);
  });

  it('is not a handshake of another application, nor by GET', async () => {
    const other = await ask(await world.connect('unsigned'), 'POST', { validationToken: token });
    expect([other.status, JSON.parse(other.text)]).toEqual([202, { accepted: true, run_ids: [] }]);
    expect((await ask(await world.connect('graph_like'), 'GET', { validationToken: token })).status).toBe(405);
  });
});
