import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FEW_FAULTS, LONG_MESSAGE, withoutLongValue } from '../../src/transports/graphql/documents/type-faults.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const CONNECT = 'mutation ($input: ConnectIntegrationInput!) { connectIntegration(input: $input) { __typename } }';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

describe('errors of a variable', () => {
  it('do not quote a long value, and still name their fields', async () => {
    const unknown = Array.from({ length: 60 }, (_, index) => [`field${index}`, index === 0 ? '"'.repeat(49_000) : 1]);
    const { body } = await client.graphql(CONNECT, {
      input: { type: 'sandbox_oauth', ...Object.fromEntries(unknown) },
    });
    // The first three, of a long value.
    expect([FEW_FAULTS, body.errors!.length]).toEqual([3, 3]);
    expect(JSON.stringify(body).length).toBeLessThan(3_000);
    const [first] = body.errors!;
    expect(first.message).toMatch(/^Variable "\$input" got invalid value …; Field "field0" is not defined by type /);
    expect(first.extensions.details).toEqual([{ field: 'input.field0', message: 'is unknown' }]);
  });

  it.each([
    [
      'a fault that quotes the value, too',
      `Variable "$n" got invalid value "${'x'.repeat(3_000)}"; Int cannot represent "${'x'.repeat(3_000)}"`,
      'Variable "$n" got invalid value …; it is too long to be quoted',
    ],
    [
      'a place',
      `Variable "$i" got invalid value "${'; at "'.repeat(600)}" at "i.a[0]"; Expected type "B".`,
      'Variable "$i" got invalid value … at "i.a[0]"; Expected type "B".',
    ],
    ['another error', 'x'.repeat(3_000), `${'x'.repeat(LONG_MESSAGE)}…`],
  ])('are cut with %s', (_name, message, cut) => {
    expect(withoutLongValue(message)).toBe(cut);
  });

  it('of 2,000 characters are not cut', () => {
    const message = `Variable "$n" got invalid value "${'x'.repeat(1_900)}"; no.`.padEnd(LONG_MESSAGE, '.');
    expect(withoutLongValue(message)).toBe(message);
    expect(withoutLongValue(`${message}.`)).not.toContain('x');
  });
});
