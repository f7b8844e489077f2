/** The document's general part about REST. */
export const FRAME = {
  openapi: '3.1.1',
  info: {
    title: 'Workflow Gateway',
    version: '1',
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operator of this service' },
    description:
      'Workflows run automated processes; triggers start them; integrations connect them to external applications.\n\nEvery request carries `Authorization: Bearer <API key>`. A read-only key may only read. A browser sends the token of a connect session instead of a key: it may start its own flow, await it and list the types. The pages of the service itself use the session of the signed-in person; only such a session may manage API keys.\n\n`/integrations/{id}/proxy/…`, with any method, passes requests on to a connected application as they are, and its responses back. OpenAPI cannot describe such a path: see [calling applications](/docs/reference/calls).',
  },
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key: `wfk_…`; or the token of a connect session: `wfs_…`.',
      },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'workflow_session',
        description:
          'The session of a person, from the pages of the service itself; over https the name begins with `__Host-`.',
      },
    },
    headers: {
      'X-Request-Id': {
        description: "Identifies the request in the service's log. A valid id in the request is kept.",
        required: true,
        schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
      },
      'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 0 } },
      RateLimit: {
        description:
          'The remaining requests, and the seconds until the limit is fully restored. Absent when limits are off.',
        schema: { type: 'string' },
      },
      'RateLimit-Policy': { description: 'The limit. Absent when limits are off.', schema: { type: 'string' } },
      'Ignored-Fields': {
        description:
          'Present when the request has names without effect: up to 20 unknown query parameters, body fields and keys of a `config`, separated by commas. Names of nested fields are dotted; characters that a header cannot hold are percent-encoded. `Idempotency-Key` is listed where the route does not support it.',
        schema: { type: 'string', examples: ['sort, actions.0.config.note'] },
      },
      'Preference-Applied': {
        description: 'Present when `Prefer: handling=strict` was honoured.',
        schema: { type: 'string', const: 'handling=strict' },
      },
      Location: {
        description: 'The absolute URL of what was created.',
        required: true,
        schema: { type: 'string', format: 'uri' },
      },
      Link: {
        description:
          'With `rel="next"` (RFC 8288) the URL of the next page; absent on the last page. With `rel="monitor"`, while an OAuth flow is open, the URL that waits for the next change: its `after_version` is the version of the integration in this response. Both are below the public URL of the service: a client that uses another address takes only path and query.',
        schema: { type: 'string', examples: ['<https://workflows.example/v1/runs?after=run_01k>; rel="next"'] },
      },
      'Idempotent-Replayed': {
        description: 'Present when the response is a stored one.',
        schema: { type: 'string', const: 'true' },
      },
      ETag: {
        description:
          'The version of the returned resource, for `If-Match` and `If-None-Match`. The part behind its dot changes when the service itself changes the resource, e.g. counts a run; `If-Match` does not compare it.',
        required: true,
        schema: { type: 'string' },
      },
      'WWW-Authenticate': { required: true, schema: { type: 'string', const: 'Bearer' } },
    },
    parameters: {
      'If-Match': {
        name: 'If-Match',
        in: 'header',
        description:
          'The `ETag` of the version that the request is based on. If the resource has changed since, the request changes nothing and returns 412. Without this header the change is made in any case.',
        schema: { type: 'string', examples: ['"none"'] },
      },
      'If-None-Match': {
        name: 'If-None-Match',
        in: 'header',
        description:
          'The `ETag` of the version that the client has. If it is the current one, the response is 304 without a body.',
        schema: { type: 'string', examples: ['"none"'] },
      },
      Prefer: {
        name: 'Prefer',
        in: 'header',
        description:
          'With `handling=strict` (RFC 7240) every unknown query parameter, body field and key of a `config` is refused with 400. Without it, only those that are probably misspelled are refused, and the others are ignored: see `Ignored-Fields`.',
        schema: { type: 'string', examples: ['handling=strict'] },
      },
      'Idempotency-Key': {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'Makes a retry safe: for 24 hours requests with the same key and path receive the first successful response again, with `Idempotent-Replayed: true`.',
        schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
      },
    },
  },
} as const;

/** The features, in the order of the reference. */
export const TAGS = [
  { name: 'workflows', description: 'Series of actions that run when a trigger fires.' },
  { name: 'actions', description: 'The steps of a workflow, read and written as one list.' },
  { name: 'triggers', description: 'The events that start a workflow.' },
  { name: 'runs', description: 'Executions of workflows, with their steps and results.' },
  { name: 'integrations', description: 'Connections to external applications.' },
  { name: 'webhooks', description: 'URLs that receive events of the account.' },
  { name: 'events', description: 'The log of the last 30 days: everything that webhooks can receive.' },
  { name: 'api-keys', description: 'Only signed-in persons may manage them: an API key gets 403.' },
] as const;

/** References to the headers of every authenticated response, and to those given. */
export function headers(
  ...names: readonly (keyof typeof FRAME.components.headers)[]
): Record<string, { $ref: string }> {
  return Object.fromEntries(
    (['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Ignored-Fields', 'Preference-Applied', ...names] as const).map(
      (name) => [name, { $ref: `#/components/headers/${name}` }],
    ),
  );
}
