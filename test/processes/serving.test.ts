import WebSocket from 'ws';
import { RawWebSocket } from '../graphql/subscriptions/raw-websocket.js';
import { until } from '../support/until.js';
import { isRunning, kill, membersOf, returned } from './support/members.js';
import { SeveralWorld } from './support/several-world.js';

const LISTS = 'http_request_duration_seconds_count{door="rest",operation="ListWorkflows",status="200"}';

describe('a service of two processes', () => {
  let world: SeveralWorld;

  beforeAll(async () => {
    world = await SeveralWorld.open();
  });
  afterAll(() => world.close());

  const occurrences = (text: string) => world.service.output.split(text).length - 1;

  it('prints its start lines and one set-up link once', async () => {
    await until(() => world.service.output.includes('Documentation:'));
    expect(membersOf(world.service)).toHaveLength(2);
    expect(occurrences('"msg":"listening"')).toBe(1);
    expect(occurrences('clock_ahead_ms')).toBe(1);
    expect(occurrences('/set-up/')).toBe(1);
    await until(() => occurrences('SMTP_URL is not set') === 1);
  });

  it('gives connections to both in turns, and each line of the log names its process', async () => {
    const ids = [];
    for (let count = 0; count < 6; count += 1) ids.push((await world.get('/livez')).requestId);
    const pids = await Promise.all(ids.map((id) => world.pidOf(id)));
    expect(new Set(pids)).toEqual(new Set(membersOf(world.service)));
  });

  it('tells the listeners in one process of a change in the other', async () => {
    const url = `${world.client.baseUrl.replace('http', 'ws')}/graphql`;
    const sockets = await Promise.all(Array.from({ length: 4 }, () => RawWebSocket.open(url, world.client.key)));
    for (const socket of sockets) socket.subscribe('s', 'subscription { integrationStatusChanged { status } }');
    await until(async () => (await world.metric('change_listeners ')) === 4);
    const body = { type: 'sandbox_api_key', credentials: { api_key: 'sandbox_valid_key' } };
    expect((await world.client.rest('POST', '/integrations/connect', { body })).status).toBe(201);
    const heard = await Promise.all(sockets.map((socket) => socket.message(({ type }) => type === 'next')));
    for (const socket of sockets) socket.close();
    const connected = { data: { integrationStatusChanged: { status: 'CONNECTED' } } };
    expect(heard.map(({ payload }) => payload)).toEqual(Array.from({ length: 4 }, () => connected));
  });

  it('sums the counters and gauges of both, and reads what the database holds once', async () => {
    const before = await world.metric(LISTS).catch(() => 0);
    for (let count = 0; count < 6; count += 1) expect((await world.get('/v1/workflows')).status).toBe(200);
    await until(async () => (await world.metric(LISTS)) === before + 6);
    await world.client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    const { body } = await world.get('/metrics');
    // One sample of each: none is there for each process.
    const names = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const keys = names.map((line) => line.replace(/ \S+$/, ''));
    expect(new Set(keys).size).toBe(keys.length);
    expect(body).toMatch(/^runs_open\{status="queued"\} 0$/m);
    expect(body).toMatch(/^process_start_time_seconds \d+$/m);
  });

  it('serves while one is killed, starts it again, voids no link, and keeps its counters', async () => {
    const links = async () => world.sql.rows('SELECT encode(digest, $1) AS digest FROM set_up_links', ['hex']);
    const printed = await links();
    for (let count = 0; count < 4; count += 1) await world.get('/v1/workflows');
    const before = await world.metric(LISTS);
    const [victim, other] = membersOf(world.service);
    kill(victim!);
    // From then on the primary hands it no connection.
    await until(() => occurrences('a process of the service died') === 1);
    for (let count = 0; count < 4; count += 1) {
      const { status, requestId } = await world.get('/readyz');
      expect([status, await world.pidOf(requestId)]).toEqual([200, other]);
    }
    await returned(world.service, 1);
    expect(await world.metric(LISTS)).toBe(before);
    expect(membersOf(world.service)).toHaveLength(2);
    expect(occurrences('"msg":"listening"')).toBe(1);
    expect(occurrences('/set-up/')).toBe(1);
    expect([printed.length, await links()]).toEqual([1, printed]);
  });

  it('ends the connection that was on its way to a process that died', async () => {
    const [victim] = membersOf(world.service);
    process.kill(victim!, 'SIGSTOP');
    const asked = Array.from({ length: 4 }, () =>
      world.get('/livez').then(
        ({ status }) => status,
        () => 'cut',
      ),
    );
    // All but the one that was handed to the stopped process.
    const [first] = await Promise.all([
      Promise.race(asked),
      until(async () => (await world.get('/livez')).status === 200),
    ]);
    expect(first).toBe(200);
    kill(victim!);
    expect((await Promise.all(asked)).sort()).toEqual([200, 200, 200, 'cut']);
    await returned(world.service, 2);
  });

  it('drains all on SIGTERM: long polls and held requests are answered, sockets closed with 1001', async () => {
    const { body } = await world.client.rest('POST', '/integrations/connect', { body: { type: 'sandbox_oauth' } });
    const codes = Array.from({ length: 4 }, () => {
      const closed = Promise.withResolvers<number>();
      const socket = new WebSocket(`${world.client.baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      socket.once('open', () =>
        socket.send(
          JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${world.client.key}` } }),
        ),
      );
      socket.once('close', (code) => closed.resolve(code));
      return closed.promise;
    });
    const polls = Array.from({ length: 4 }, () => world.get(`/v1/integrations/${body.integration_id}?wait=30`));
    await until(async () => (await world.metric('change_listeners ')) === 4);
    await until(async () => (await world.metric('websocket_connections ')) === 4);
    const members = membersOf(world.service);
    expect(await world.service.stop()).toBe(0);
    expect((await Promise.all(polls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await Promise.all(codes)).toEqual([1001, 1001, 1001, 1001]);
    expect(members.filter(isRunning)).toEqual([]);
    expect(occurrences('"msg":"stopping"')).toBe(1);
  });
});
