import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Pool } from 'pg';
import { fireHook } from './hooks.js';
import { KeyCheck } from './keys.js';
import { createWorkflow, getWorkflow, listWorkflows } from './workflows.js';

/**
 * The upper bound of node:http and pg: the same URLs, tables, counters and JSON as the service, without a framework.
 */
export function limitListener(pool: Pool): RequestListener {
  const keys = new KeyCheck(pool);
  return (request, response) => {
    answer(pool, keys, request).then(
      ([status, body]) => send(response, status, body),
      (error: unknown) => send(response, 500, { message: String(error) }),
    );
  };
}

async function answer(pool: Pool, keys: KeyCheck, request: IncomingMessage): Promise<[status: number, body: unknown]> {
  const [path = '', search] = request.url!.split('?', 2);
  if (request.method === 'POST' && path.startsWith('/hooks/')) {
    return found(202, await fireHook(pool, path.slice('/hooks/'.length), await bodyOf(request)));
  }
  const caller = await keys.callerOf(request.headers.authorization);
  if (caller === undefined) return [401, {}];
  if (request.method === 'POST') {
    if (caller.scope !== 'read-write') return [403, {}];
    const input = JSON.parse(await bodyOf(request)) as Partial<Record<string, string>>;
    return [201, await createWorkflow(pool, caller.accountId, input)];
  }
  return path === '/v1/workflows'
    ? [200, await listWorkflows(pool, caller.accountId, new URLSearchParams(search))]
    : found(200, await getWorkflow(pool, caller.accountId, path.slice('/v1/workflows/'.length)));
}

function found(status: number, body: unknown): [number, unknown] {
  return body === undefined ? [404, {}] : [status, body];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(Buffer.concat(chunks).toString()));
    request.once('error', reject);
  });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
