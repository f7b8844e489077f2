/**
 * Asks the gateway with a session's token. `after` of the result: the version behind which the open flow ends; undefined without one.
 * @throws Error; after a refusal it has its HTTP `status`.
 */
async function ask({ gateway, token }, path, options) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${gateway}/v1${path}`, { ...options, headers });
  const body = await answer.json();
  const [, after] = /after_version=(\d+)>; rel="monitor"/.exec(answer.headers.get('link')) ?? [];
  if (answer.ok) return { ...body, after };
  throw Object.assign(new Error(body.message), { status: answer.status });
}

/** Starts the session's flow, in which the user grants access at `redirect_url`. */
export function startFlow(session) {
  const [body, signal] = [JSON.stringify({ type: session.type }), AbortSignal.timeout(30_000)];
  return ask(session, '/integrations/connect', { method: 'POST', body, signal });
}

/**
 * The integration once the started flow has ended, however that went.
 * Lost connections are tried again until `signal` aborts.
 */
export async function flowEnd(session, { integration_id: id, after }, { signal, onFailures = () => {} }) {
  for (let failures = 0; ;) {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(40_000)]);
      const integration = await ask(session, `/integrations/${id}?wait=25&after_version=${after}`, { signal: limit });
      // Not the status: a connection may expire while its user reconnects it.
      if (integration.after === undefined) return integration;
      after = integration.after;
      failures = 0;
    } catch (error) {
      signal.throwIfAborted();
      // 401: the session is over. 403, 404: there is nothing to wait for. All else passes.
      if (error.status < 500 && ![408, 429].includes(error.status)) throw error;
      failures += 1;
    }
    onFailures(failures);
    const pause = Math.min(500 * 2 ** failures, 8_000) * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
