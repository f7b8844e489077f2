import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type RequestListener } from 'node:http';
import * as oauth from 'oauth4webapi';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { serveHttp, type Loopback } from './loopback.js';

let outbound: Outbound;
let server: Loopback | undefined;

beforeEach(() => {
  outbound = createOutbound({ allowPrivateNetwork: false, userAgent: 'gateway/1' });
});

afterEach(async () => {
  await server?.close();
  await outbound.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = await serveHttp(listener);
  return server.url;
}

const answer =
  (status: number, body: string, headers = {}): RequestListener =>
  (request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);

describe('Outbound.fetch', () => {
  it('exchanges a code for tokens as oauth4webapi’s customFetch', async () => {
    let sent = '';
    let authorization: string | undefined;
    const url = await serve((request, response) => {
      authorization = request.headers.authorization;
      request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
      request.on('end', () =>
        answer(200, JSON.stringify({ access_token: 'at', token_type: 'bearer', expires_in: 60 }))(request, response),
      );
    });
    const as: oauth.AuthorizationServer = { issuer: url, token_endpoint: `${url}/token` };
    const client: oauth.Client = { client_id: 'me' };
    const callback = oauth.validateAuthResponse(as, client, new URLSearchParams({ code: 'abc', state: 's' }), 's');
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.ClientSecretBasic('word'),
      callback,
      'https://us.example/callback',
      'v'.repeat(43),
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- so marked to look dangerous, not to go away
      { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: outbound.fetch(2_000, 100_000, 'operator') },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
    expect(tokens).toMatchObject({ access_token: 'at', expires_in: 60 });
    expect(authorization).toBe(`Basic ${btoa('me:word')}`);
    expect(Object.fromEntries(new URLSearchParams(sent))).toMatchObject({
      grant_type: 'authorization_code',
      code: 'abc',
    });
  });

  it('takes a URL and a Request, and gives back redirects and bodiless answers', async () => {
    const url = await serve((request, response) =>
      request.method === 'DELETE'
        ? response.writeHead(204).end()
        : answer(302, '', { Location: '/b' })(request, response),
    );
    const fetch = outbound.fetch(2_000, 1_000, 'operator');
    const redirect = await fetch(new URL(url));
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/b']);
    expect((await fetch(new Request(url, { method: 'DELETE' }))).status).toBe(204);
  });

  it('keeps the limits, and refuses what nests too deeply', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/deep') answer(200, '['.repeat(201))(request, response);
      if (request.url === '/big') answer(200, `"${'a'.repeat(2_000)}"`)(request, response);
    });
    const fetch = outbound.fetch(60_000, 1_000, 'operator');
    await expect(outbound.fetch(200, 1_000, 'operator')(`${url}/hang`)).rejects.toMatchObject({ reason: 'timeout' });
    await expect(fetch(`${url}/big`)).rejects.toMatchObject({ reason: 'too_large' });
    await expect(fetch(`${url}/deep`)).rejects.toMatchObject({ reason: 'invalid_answer' });
    await expect(fetch(`${url}/hang`, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
      reason: 'canceled',
    });
  });
});
