// The whole backend. It holds the API key, knows its own users, and hands a browser nothing but a session's token.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { GATEWAY = 'http://localhost:4000', API_KEY, PORT = '3000' } = process.env;
if (!API_KEY) throw new Error('Set API_KEY to a read-write key: see README.md.');
const TYPE = 'sandbox_oauth';

async function ask(method, path, body) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(`${GATEWAY}/v1${path}`, { method, headers, body: body && JSON.stringify(body), signal });
  const answered = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${answered.code}, ${answered.message}`);
  return answered;
}

/** Who asks. Your product knows by its login; here each browser is a user of its own, by a cookie. */
function userOf(request, response) {
  const known = /(?:^|; )user=([\w-]{36})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1];
  const user = known ?? randomUUID();
  if (!known) response.setHeader('set-cookie', `user=${user}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000`);
  return user;
}

const json = (work) => async (user) => ['application/json', JSON.stringify(await work(user))];
const file = (name, type) => async () => [type, await readFile(new URL(name, import.meta.url))];
const ROUTES = {
  'GET /': file('index.html', 'text/html; charset=utf-8'),
  'GET /page.js': file('page.js', 'text/javascript'),
  'GET /connect.js': file('connect.js', 'text/javascript'),
  'GET /style.css': file('style.css', 'text/css'),
  /** What this user has connected, or null. */
  'GET /connection': json(async (user) => {
    const query = new URLSearchParams({ type: TYPE, reference: user, status: 'connected', per_page: '1' });
    const [found] = (await ask('GET', `/integrations?${query}`)).data;
    return found ? ask('GET', `/integrations/${found.id}`) : null;
  }),
  /** A token that can connect this one application for this one user, for longer than a flow may take (600 s). */
  'POST /session': json(async (user) => {
    const { token } = await ask('POST', '/connect_sessions', { type: TYPE, reference: user, expires_in: 900 });
    return { gateway: GATEWAY, type: TYPE, token };
  }),
};

const server = createServer(async (request, response) => {
  try {
    const route = ROUTES[`${request.method} ${request.url}`];
    const [type, body] = route ? await route(userOf(request, response)) : ['text/plain', 'Not here'];
    response.writeHead(route ? 200 : 404, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  } catch (error) {
    console.error(error.message);
    response.writeHead(502).end();
  }
});
server.listen(Number(PORT), () => console.log(`Open http://localhost:${server.address().port}`));
