/** What the document says about REST as a whole. */
export const FRAME = {
  openapi: '3.1.1',
  info: {
    title: 'Workflow Gateway',
    version: '1',
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operator of this service' },
    description:
      'Workflows run automated processes; triggers start them; integrations connect them to external applications.\n\nEvery request carries `Authorization: Bearer <API key>`. A read-only key may only read. In the place of a key, a browser sends the token of a connect session, which may start its own flow, await it and read the types; the pages of the service itself use the session of who is signed in, and API keys are managed with that alone.',
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
        description: "Names the request in our log. The request's own, where it is well-formed.",
        required: true,
        schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
      },
      'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 0 } },
      RateLimit: {
        description: 'What is left of the limit, and when it is whole again. Absent with limits off.',
        schema: { type: 'string' },
      },
      'RateLimit-Policy': { description: 'The limit. Absent with limits off.', schema: { type: 'string' } },
      'Ignored-Fields': {
        description:
          'Present when the request has names without effect: up to 20 unknown query parameters and body fields, separated by commas. Names of nested fields are dotted; a character that a header cannot hold is percent-encoded. `Idempotency-Key` is among them where it is not taken.',
        schema: { type: 'string', examples: ['per_pgae, actions.0.nmae'] },
      },
      'Idempotent-Replayed': {
        description: 'There when the answer is a kept one.',
        schema: { type: 'string', const: 'true' },
      },
      ETag: {
        description: 'The version of what is read or set, for `If-Match`.',
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
          'The `ETag` that what is sent was made from. When it was changed since, nothing is set, and the answer is 409; without it whatever is there is replaced.',
        schema: { type: 'string', examples: ['"none"'] },
      },
      'Idempotency-Key': {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          'Makes a retry safe: for 24 hours the first successful answer to this key and path is given again, with `Idempotent-Replayed: true`.',
        schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
      },
    },
  },
} as const;

/** The features, in the order of the reference. */
export const TAGS = [
  { name: 'workflows', description: 'Series of actions that run when a trigger fires.' },
  { name: 'actions', description: 'What a workflow does, read and written whole.' },
  { name: 'triggers', description: 'What makes a workflow run.' },
  { name: 'runs', description: 'Firings of triggers, and what came of them.' },
  { name: 'integrations', description: 'Connections to external applications.' },
  { name: 'webhooks', description: 'Addresses that are told of events.' },
  { name: 'api-keys', description: 'Managed by persons: an API key is refused with 403.' },
] as const;

/** References to the headers that every answer to a valid key has, and to some more. */
export function headers(
  ...names: readonly (keyof typeof FRAME.components.headers)[]
): Record<string, { $ref: string }> {
  return Object.fromEntries(
    (['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Ignored-Fields', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
}
