import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { WebhookWorld } from './webhook-world.js';

describe('a service that stops', () => {
  it('gives up deliveries beside the requests that it still answers, not after them', async () => {
    const world = await WebhookWorld.open();
    const held = Promise.withResolvers<ServerResponse>();
    world.receiver.answer = (_, response) => held.resolve(response);
    await world.webhook('/held', ['workflow.created']);
    await world.workflow();
    const handedBack = once(await held.promise, 'close');
    const body = JSON.stringify({ name: 'late' });
    const call = begin(world, body);
    await once(call, 'socket');
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    call.write(body.slice(0, 5));
    await once(call.socket!, 'connect');
    // What the service answers came after it.
    await world.workflow();
    const closed = world.server.close();
    await handedBack;
    const isFree = ({ attempts, claim }: { attempts: number; claim: string | null }) =>
      attempts === 0 && claim === null;
    await until(async () => (await world.server.db.query<any>(`SELECT * FROM webhook_deliveries`)).every(isFree));
    call.end(body.slice(5));
    const [response] = await answered;
    expect(response.resume().statusCode).toBe(201);
    await closed;
    await world.close();
  });
});

/** A request whose body is on its way. */
function begin({ client, server }: WebhookWorld, body: string): ClientRequest {
  return request(`${server.baseUrl}/v1/workflows`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
}
