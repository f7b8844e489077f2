import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { Copy } from '../guide.js';

const awaited = { __typename: 'Integration', id: 'int_any', status: 'PENDING', version: 1 };
const LIST = {
  integration: { ...awaited, statusReason: 'awaiting_authorization', flowOpen: true },
  integrations: { __typename: 'IntegrationPage', items: [], latestChange: 'rch_begin' },
};

/** A change with the id of one of a run, which comes again when it is not older than a minute. */
const change = (id: string, second: number, reason = 'awaiting_authorization') => ({
  __typename: 'IntegrationStatusChange',
  ...{ id, reason, status: 'PENDING', version: second, at: `2026-11-26T12:00:0${second}.000Z` },
  integration: { ...awaited, version: second },
});
/** The changes of each connection. The second begins with one that comes again, and both break off. */
const CONNECTIONS = [
  [change('rch_one', 1), change('rch_three', 3), change('rch_two', 2)],
  [change('rch_two', 2)],
  [change('rch_four', 4, 'connected')],
];

/** Follows changes by the subscriptions of the block for Relay. */
const RELAY = `import { environment } from './environment.mjs';
const operation = { operationKind: 'subscription', text: 'subscription', name: 'Changes', metadata: {}, id: null };
environment.getNetwork().execute(operation, { after: 'rch_begin' }, {}).subscribe({
  next: ({ data }) => data.integrationStatusChanged.reason === 'connected' && process.exit(0),
});`;

let server: Server;
let copy: Copy;
afterEach(() => {
  copy.close();
  server.closeAllConnections();
  server.close();
});

/** A subscription that the service refuses, because an argument names nothing. */
const refusal = (field: string) => ({
  errors: [
    { message: 'No such thing.', extensions: { code: 'NOT_FOUND', details: [{ field, message: 'names nothing' }] } },
  ],
});

/**
 * A stand-in for the service, with the changes of each connection, or its refusal.
 * @returns the positions from which its connections were asked to go on.
 */
async function serve(
  connections: readonly ((typeof CONNECTIONS)[number] | ReturnType<typeof refusal>)[],
): Promise<string[]> {
  server = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: LIST })),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const positions: string[] = [];
  new WebSocketServer({ server }).on('connection', (socket) => {
    const send = (message: object, sent?: () => void): void => socket.send(JSON.stringify(message), sent);
    socket.on('message', (data: Buffer) => {
      const { type, id, payload } = JSON.parse(data.toString());
      if (type === 'connection_init') send({ type: 'connection_ack' });
      if (type !== 'subscribe') return;
      const changes = connections[positions.push(payload.variables.after) - 1]!;
      if ('errors' in changes) {
        send({ type: 'next', id, payload: changes });
        return send({ type: 'complete', id });
      }
      // Without a close message.
      const breakOff = () => (changes.at(-1)!.reason === 'connected' ? undefined : socket.terminate());
      for (const one of changes) {
        const sent = one === changes.at(-1) ? breakOff : undefined;
        send({ type: 'next', id, payload: { data: { integrationStatusChanged: one } } }, sent);
      }
    });
  });
  copy = new Copy({ BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, API_KEY: 'wfk_any' });
  return positions;
}

describe('the position of a client that follows changes of runs', () => {
  it.each(['apollo.mjs', 'urql.mjs', 'relay-follow.mjs'])('%s is that of the latest change', async (name) => {
    const positions = await serve(CONNECTIONS);
    copy.write('relay-follow.mjs', RELAY);
    await copy.run(name, { INTEGRATION_ID: awaited.id });
    expect(positions).toEqual(['rch_begin', 'rch_three', 'rch_three']);
  });

  it.each(['apollo.mjs', 'urql.mjs'])(
    '%s is read again with the list when it is too old, and only then',
    async (name) => {
      const positions = await serve([refusal('after'), CONNECTIONS.at(-1)!]);
      await copy.run(name, { INTEGRATION_ID: awaited.id });
      expect(positions).toEqual(['rch_begin', 'rch_begin']);
      copy.close();
      server.close();
      const refused = await serve([refusal('workflowId')]);
      expect(await copy.start(name, { INTEGRATION_ID: awaited.id }).exit).toBe(1);
      expect(refused).toEqual(['rch_begin']);
    },
  );
});
