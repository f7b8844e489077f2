import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BodyBudget, UNKNOWN_BYTES } from '../../src/platform/admission/body-budget.js';
import { Client } from '../support/http/client.js';
import { gauge } from '../graphql/subscriptions/changes.js';
import { exchange } from '../support/http/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const MEBIBYTE = 2 ** 20;
const nobody = () => Promise.reject(new Error('asked for an owner'));

describe('the memory for bodies in a process', () => {
  it('is 64 kB for each body with an unverified token and 64 MB for all such, two thirds of it for one client', () => {
    const budget = new BodyBudget();
    let opened = 0;
    const open = () => budget.open('sender', MEBIBYTE, nobody);
    expect(() => {
      for (; opened < 2_000; opened += 1) expect(open().fits(UNKNOWN_BYTES + 1)).toBe(false);
    }).toThrow(expect.objectContaining({ code: 'unavailable', status: 503 }));
    expect(opened).toBe(Math.floor((2 * 1_024) / 3));
    budget.open('another sender', MEBIBYTE, nobody);
    expect(budget.inUse).toBe((opened + 1) * UNKNOWN_BYTES);
  });

  it('grows in the share of an account, and is released', async () => {
    const budget = new BodyBudget();
    const space = budget.open('sender', MEBIBYTE, async () => 'account');
    await space.grow();
    expect([space.fits(MEBIBYTE), budget.inUse]).toEqual([true, MEBIBYTE]);
    space.close();
    expect(budget.inUse).toBe(0);
  });

  it('leaves room for another account, whatever one account sends', async () => {
    const budget = new BodyBudget();
    const grow = (account: string) => budget.open(account, MEBIBYTE, async () => account).grow();
    let grown = 0;
    await expect(
      (async () => {
        for (; grown < 1_000; grown += 1) await grow('a');
      })(),
    ).rejects.toMatchObject({ code: 'unavailable' });
    expect(grown).toBe(Math.floor((2 * 128) / 3));
    await grow('b');
  });
});

describe('a body of a known account', () => {
  it('takes its part of 128 MB, and leaves some to other accounts', () => {
    const budget = new BodyBudget();
    let held = 0;
    expect(() => {
      for (; held < 2_000; held += 1) budget.hold('a', 102_400);
    }).toThrow(expect.objectContaining({ code: 'unavailable', status: 503 }));
    expect(held).toBe(Math.floor((2 * 128 * MEBIBYTE) / 3 / 102_400));
    budget.hold('b', 102_400)();
  });
});

describe('a body that is being read', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLES: 'api' } });
  });
  afterAll(() => server.close());

  it.each(['/v1/workflows', '/graphql', '/graphql/stream', '/auth/sign-in/email', '/sandbox/events'])(
    'counts at %s until its request has ended',
    async (path) => {
      const { port, origin } = new URL(server.baseUrl);
      const socket = connect(Number(port), 'localhost');
      const authorization = /^\/(?:auth|sandbox)/.test(path) ? '' : `Authorization: Bearer ${await server.key()}\r\n`;
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\n${authorization}`;
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 65536\r\n\r\n{`);
      await until(async () => (await gauge(server, 'body_bytes')) >= 65_536);
      socket.destroy();
      await until(async () => (await gauge(server, 'body_bytes')) === 0);
    },
  );
});

describe('a body of an unknown token', () => {
  let server: TestServer;
  let hook: URL;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    server = await startTestServer();
    const client = new Client(server.baseUrl, await server.key());
    const { body } = await client.rest('POST', '/workflows', { body: { name: 'x', status: 'active' } });
    const trigger = await client.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'webhook' } });
    hook = new URL(trigger.body.webhook_url as string);
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
  afterAll(() => server.close());

  /** Starts a POST request and sends this much of its body. @returns the first line of the response. */
  function begin(path: string, length: number, sent: number): Promise<string> {
    const socket = connect(Number(hook.port), 'localhost');
    sockets.push(socket);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`);
    socket.write(`"${'x'.repeat(sent - 1)}`);
    return new Promise((resolve, reject) => {
      socket.once('data', (data) => resolve(String(data).split('\r\n', 1)[0]!));
      socket.once('error', reject);
    });
  }

  it.each(['/hooks', '/events'])('is refused at %s before its client sends more than 64 kB', async (door) => {
    const token = randomBytes(32).toString('base64url');
    expect(await begin(`${door}/${token}`, MEBIBYTE, 100)).toBe('HTTP/1.1 404 Not Found');
  });

  it('is read and dropped after its refusal, so that its connection takes the next request', async () => {
    const part = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const head = `POST /hooks/${randomBytes(32).toString('base64url')} HTTP/1.1\r\nHost: localhost\r\n`;
    const post = `${head}Transfer-Encoding: chunked\r\n\r\n${part.repeat(8)}0\r\n\r\n`;
    const next = 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n';
    expect((await exchange(hook.origin, post + next, 2)).statuses).toEqual([404, 200]);
  });

  it('is read further when the token is valid', async () => {
    const body = `"${'x'.repeat(MEBIBYTE - 2)}"`;
    const { status } = await fetch(hook, { method: 'POST', body });
    expect(status).toBe(202);
  });

  it('is not an error of the service when its client disconnects in the middle', async () => {
    const from = server.logs.length;
    void begin(hook.pathname, MEBIBYTE, 70_000).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    sockets.splice(0).forEach((socket) => socket.resetAndDestroy());
    const refused = () => server.logs.slice(from).filter((line) => line.includes('post refused'));
    await until(() => refused().length > 0);
    expect(JSON.parse(refused()[0]!)).toMatchObject({ level: 'info', code: 'invalid_json' });
  });
});
