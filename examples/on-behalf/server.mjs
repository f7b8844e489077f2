// The whole backend. It holds the API key and knows its own users; the gateway does the work in each user's name.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
const { GATEWAY = 'http://localhost:4000', API_KEY, PORT = '3000' } = process.env;
if (!API_KEY) throw new Error('Set API_KEY to a read-write key: see README.md.');

async function ask(method, path, body, more = {}) {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...more };
  const signal = AbortSignal.timeout(40_000);
  const answer = await fetch(`${GATEWAY}/v1${path}`, { method, headers, body: body && JSON.stringify(body), signal });
  const found = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${found.code}, ${found.message}`);
  return found;
}

/** One workflow serves all users: its step waits until the user of the run has connected the application. */
const { name, description, actions } = JSON.parse(await readFile(new URL('workflow.json', import.meta.url)));
// `search` finds parts of texts: the workflow is its own only if both texts are the same. Your product keeps the id instead.
const { data } = await ask('GET', `/workflows?status=active&view=full&search=${encodeURIComponent(description)}`);
const known = data.find((one) => one.name === name && one.description === description);
const { id: workflow } = known ?? (await ask('POST', '/workflows', { name, description, status: 'active' }));
// An earlier start may have ended before this request.
const triggers = known ? (await ask('GET', `/triggers?workflow_id=${workflow}&type=manual`)).data : [];
if (triggers.length === 0) await ask('POST', '/triggers', { workflow_id: workflow, type: 'manual' });
await ask('PUT', `/workflows/${workflow}/actions`, { actions });
/** The import of each user: `key`, and `id` of its run once the response has come. Your product keeps it in its database. */
const imports = new Map();
const ROUTES = {
  'POST /import': async (user) => {
    let one = imports.get(user);
    // Pressed again after a lost response, within a day, it is the same import.
    if (!one || one.id) imports.set(user, (one = { key: randomUUID() }));
    one.id = (await ask('POST', `/workflows/${workflow}/runs`, { input: { user } }, { 'idempotency-key': one.key })).id;
    return { status: 'queued' };
  },
  /** How far the user's run is: with the page on which the user connects, or with the contacts in the end. */
  'GET /import': async (user) => {
    const { id } = imports.get(user) ?? {};
    if (!id) return { status: 'none' };
    const { status, error, steps } = await ask('GET', `/runs/${id}`);
    const waits = status === 'waiting' ? await ask('GET', `/waits?run_id=${id}&status=pending`) : undefined;
    return { status, error, connect_url: waits?.data[0]?.connect_url, contacts: steps[0]?.output?.body?.data };
  },
};

createServer(async (request, response) => {
  const send = (status, type, body) => response.writeHead(status, { 'content-type': type }).end(body);
  // Your product knows by its login who asks; here each browser is a user of its own, by a cookie.
  const user = /(?:^|; )user=([\w-]{36})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID();
  response.setHeader('set-cookie', `user=${user}; HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000`);
  try {
    const work = ROUTES[`${request.method} ${request.url}`];
    if (work) return send(200, 'application/json', JSON.stringify(await work(user)));
    send(200, 'text/html; charset=utf-8', await readFile(new URL('index.html', import.meta.url)));
  } catch (error) {
    console.error(error.message);
    send(502, 'text/plain', 'Not now');
  }
}).listen(Number(PORT), () => console.log(`Open http://localhost:${PORT}`));
