/** What the document says about REST as a whole. */
export const FRAME = {
  openapi: '3.1.1',
  info: {
    title: 'Workflow Gateway',
    version: '1',
    description:
      'Workflows run automated processes; triggers start them; integrations connect them to external applications.\n\nEvery request carries `Authorization: Bearer <API key>`. A read-only key may only read.',
  },
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  components: {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `wfk_…`.' },
    },
    headers: {
      'X-Request-Id': {
        description: "Names the request in our log. The request's own, where it is well-formed.",
        required: true,
        schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
      },
      'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 0 } },
      'WWW-Authenticate': { required: true, schema: { type: 'string', const: 'Bearer' } },
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

/** References to the headers that every answer has, and to some more. */
export function headers(
  ...names: readonly (keyof typeof FRAME.components.headers)[]
): Record<string, { $ref: string }> {
  return Object.fromEntries(
    (['X-Request-Id', ...names] as const).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
