import { getOperationAST, print, separateOperations } from 'graphql';
import { createClient } from 'graphql-ws';

/** The Authorization value in a headers editor's text; undefined while it is absent or still the placeholder. */
export function authorizationOf(headers) {
  let values = headers ?? {};
  if (typeof headers === 'string') {
    try {
      values = JSON.parse(headers);
    } catch {
      return undefined;
    }
  }
  const [, value] = Object.entries(values ?? {}).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return typeof value === 'string' && /^Bearer [\w-]{20,}$/.test(value) ? value : undefined;
}

/**
 * A GraphiQL fetcher: POST for queries and mutations, one `graphql-transport-ws` socket for each subscription, with the
 * key as `connection_init` payload `{ authorization }`. A tab without a key uses the last key given in any tab. For a
 * signed-in person no key is needed: the browser sends the session cookie.
 */
export function createFetcher(endpoint, { signedIn = false } = {}) {
  let lastAuthorization;
  return (params, { headers = {}, documentAST } = {}) => {
    lastAuthorization = authorizationOf(headers) ?? (signedIn ? undefined : lastAuthorization);
    const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
    const operation = documentAST && getOperationAST(documentAST, params.operationName);
    const asked = onlyChosen(params, documentAST);
    if (operation?.operation === 'subscription') return subscribe(endpoint, asked, lastAuthorization);
    return post(endpoint, asked, { ...Object.fromEntries(others), ...authorizationHeader(lastAuthorization) });
  };
}

/** Drops the editor's other operations: a document that contains a mutation is refused to a read-only key. */
function onlyChosen(params, documentAST) {
  const operations = documentAST === undefined ? {} : separateOperations(documentAST);
  const chosen = operations[params.operationName];
  return Object.keys(operations).length < 2 || chosen === undefined ? params : { ...params, query: print(chosen) };
}

function authorizationHeader(authorization) {
  return authorization === undefined ? {} : { authorization };
}

async function post(endpoint, params, headers) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json;q=0.9',
    },
    body: JSON.stringify(params),
  });
  return response.json();
}

async function* subscribe(endpoint, params, authorization) {
  const url = new URL(endpoint);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const client = createClient({ url: url.href, connectionParams: authorizationHeader(authorization) });
  try {
    yield* client.iterate(params);
  } catch (error) {
    throw error instanceof CloseEvent ? new Error(`The socket was closed: ${error.code} ${error.reason}`) : error;
  } finally {
    await client.dispose();
  }
}
