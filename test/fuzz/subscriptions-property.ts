import fc from 'fast-check';
import { EventReader } from '../graphql/subscriptions/event-reader.js';
import { RawWebSocket } from '../graphql/subscriptions/raw-websocket.js';
import { openStream } from '../graphql/transports.js';
import { expectCode } from './graphql-property.js';
import { anyParameters, askedFields, operationsOf, requestOf } from './graphql-requests.js';
import { settings } from './runs.js';
import { json, text } from './values.js';
import { FuzzWorld } from './world.js';

/** What a subscription that was taken may stay without; a refusal comes long before. */
const SILENCE_MS = 60;

/** Every subscription with random arguments over SSE and WebSocket, and whatever else these may be sent. */
export function describeSubscriptionFuzz(isLong: boolean): void {
  describe('random subscriptions', () => {
    let world: FuzzWorld;

    beforeAll(async () => {
      world = await FuzzWorld.open();
    });
    afterAll(() => world.close());

    it.each([
      ['event streams', overStream],
      ['sockets', overSocket],
    ])('are taken or refused over %s, and change nothing', async (_door, ask) => {
      for (const asked of askedFields(world.schema, 'subscription')) {
        const holds = fc.asyncProperty(operationsOf(asked), async (operation) => {
          await world.prepare();
          const variables = world.resolve(operation.variables) as Record<string, unknown>;
          const before = await world.fingerprint();
          checkEvents(await ask(world, requestOf(world.schema, asked, { ...operation, variables })));
          expect(await world.fingerprint()).toEqual(before);
        });
        await fc.assert(holds, settings(isLong));
      }
    });

    it('with any parameters are taken or refused over event streams', async () => {
      await fc.assert(
        fc.asyncProperty(anyParameters, async (parameters) => checkEvents(await overStream(world, parameters))),
        settings(isLong),
      );
    });

    it('with any parameters are taken or refused over sockets', async () => {
      await fc.assert(
        fc.asyncProperty(anyParameters, async (parameters) => checkEvents(await overSocket(world, parameters))),
        settings(isLong),
      );
    });

    it('are no messages when they are anything: the socket closes with 4400, or goes on', async () => {
      const message = fc.oneof(
        json,
        fc.record(
          {
            type: fc.constantFrom('subscribe', 'complete', 'ping', 'connection_init', 'next'),
            id: fc.oneof(text, json),
            payload: json,
          },
          { requiredKeys: [] },
        ),
      );
      const holds = fc.asyncProperty(message, async (sent) => {
        const socket = await RawWebSocket.open(world.server.ws(), world.client.key);
        socket.send(JSON.stringify(sent));
        socket.subscribe('mark', '{');
        const goesOn = socket.message(({ id }) => id === 'mark');
        const end = await Promise.race([goesOn.then(() => undefined), socket.closed]);
        if (end !== undefined) expect([4400, 4409, 4429]).toContain(end.code);
        socket.close();
        await socket.closed;
      });
      await fc.assert(holds, settings(isLong));
    });
  });
}

interface Heard {
  status?: number;
  data?: unknown;
  errors?: Record<string, any>[];
}

/** Nothing heard: it was taken, and waits. */
function checkEvents(heard: Heard | undefined): void {
  if (heard === undefined) return;
  if (heard.status !== undefined) expect(heard.status).toBeLessThan(500);
  for (const { message, extensions } of heard.errors ?? []) expectCode(message, extensions);
  if (heard.errors === undefined) expect(heard.data).toEqual(expect.anything());
}

async function overStream(world: FuzzWorld, body: unknown): Promise<Heard | undefined> {
  const response = await openStream(world.server, world.client.key!, JSON.stringify(body));
  const { status, headers } = response;
  if (!headers.get('content-type')?.startsWith('text/event-stream'))
    return { status, ...((await response.json()) as object) };
  const reader = new EventReader(response);
  const event = await orSilence(reader.next());
  await reader.cancel();
  return event?.data as Heard | undefined;
}

async function overSocket(world: FuzzWorld, payload: unknown): Promise<Heard | undefined> {
  const socket = await RawWebSocket.open(world.server.ws(), world.client.key);
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
  const heard = await orSilence(Promise.race([socket.message(({ id }) => id === '1'), socket.closed]));
  socket.close();
  const { code } = await socket.closed;
  expect([1005, 4400]).toContain(code);
  if (heard === undefined || 'code' in heard || heard.type === 'complete') return undefined;
  return heard.type === 'error' ? { errors: heard.payload } : heard.payload;
}

async function orSilence<T>(heard: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SILENCE_MS);
  });
  return Promise.race([heard, silence]).finally(() => clearTimeout(timer));
}
