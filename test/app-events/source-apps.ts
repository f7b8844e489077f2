/** One secret for the whole application, as providers with their own secrets have it. */
export const SHARED_SECRET = '8f742231b10e8888abcd99yyyzzz85a5';

const EVENTS = { 'thing.made': {}, 'thing.gone': {} };

/** Apps that connect by the sandbox's key, and use every way to sign and name events. */
export function sourceApps(baseUrl: string): unknown[] {
  const app = (type: string, source: object, events: object = EVENTS) => ({
    type,
    name: type,
    auth: {
      kind: 'api_key',
      placement: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
      verify: { method: 'GET', url: `${baseUrl}/sandbox/me`, ok: [200] },
    },
    api_base_url: `${baseUrl}/sandbox`,
    events,
    event_source: source,
  });
  const byType = { json_path: 'type' };
  return [
    app('unsigned', { ...byType, signature: null }),
    app('other_unsigned', { json_path: 'data.kind', signature: null }, { 'thing.made': {} }),
    app('shop', {
      header: 'X-Shop-Topic',
      signature: { header: 'X-Shop-Hmac-Sha256', algorithm: 'sha256', encoding: 'base64' },
    }),
    app('hub', {
      header: 'X-Event-Key',
      signature: { header: 'X-Hub-Signature', algorithm: 'sha1', encoding: 'hex', prefix: 'sha1=' },
    }),
    app('github_like', { header: 'X-GitHub-Event', signature: { scheme: 'github' } }),
    app('slack_like', { ...byType, signature: { scheme: 'slack', secret: SHARED_SECRET }, handshake: 'slack' }),
    app('stripe_like', { ...byType, signature: { scheme: 'stripe', secret: SHARED_SECRET } }),
    app('standard', { ...byType, signature: { scheme: 'standard_webhooks' } }),
    app('meta_like', {
      json_path: 'object',
      signature: { header: 'X-Hub-Signature-256', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
      handshake: 'meta',
    }),
    app('unsigned_meta', { json_path: 'object', signature: null, handshake: 'meta' }),
    app('graph_like', { json_path: 'value.0.changeType', signature: null, handshake: 'microsoft_graph' }),
  ];
}
