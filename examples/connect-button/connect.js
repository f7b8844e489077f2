/** Asks the gateway with a session's token. @throws Error; after a refusal it has its HTTP `status`. */
async function ask({ gateway, token }, path, options) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${gateway}/v1${path}`, { ...options, headers });
  const body = await answer.json();
  if (answer.ok) return body;
  throw Object.assign(new Error(body.message), { status: answer.status });
}

/** Starts the session's flow: `redirect_url` is where the user grants access, `integration_id` what to wait for. */
export function startFlow(session) {
  return ask(session, '/integrations/connect', { method: 'POST', body: JSON.stringify({ type: session.type }) });
}

/** The integration once its flow has ended, however that went. Lost connections are tried again until `signal` aborts. */
export async function flowEnd(session, id, { signal, onFailures = () => {} }) {
  for (let failures = 0; ;) {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(40_000)]);
      const integration = await ask(session, `/integrations/${id}?wait=25`, { signal: limit });
      if (integration.status !== 'pending') return integration;
      failures = 0;
    } catch (error) {
      signal.throwIfAborted();
      // 401: the session is over. 403, 404: there is nothing to wait for. All else passes.
      if (error.status < 500 && error.status !== 429) throw error;
      failures += 1;
    }
    onFailures(failures);
    const pause = Math.min(500 * 2 ** failures, 8_000) * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
