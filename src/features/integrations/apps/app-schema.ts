import { z } from 'zod';
import { urlTemplateFault } from './url-template.js';

const SET_BY_THE_FLOW = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/** A text that `fault` validates: it returns the end of an error sentence, or undefined. */
function text(fault: (value: string) => string | undefined) {
  return z.string().superRefine((value, context) => {
    const message = fault(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

const unless =
  (pattern: RegExp, message: string) =>
  (value: string): string | undefined =>
    pattern.test(value) ? undefined : message;

const orNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

const NO_QUERY = 'must have no query';

const nonEmpty = text(unless(/[^]/, 'must not be empty'));
const dottedPath = text(unless(/^[^.\s]+(\.[^.\s]+)*$/, 'must be a dotted path such as data.id'));
const headerName = text(unless(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header'));
const visible = text(unless(/^[\x20-\x7e]*$/, 'must be visible ASCII'));
const pageAddress = text((value) =>
  /^https?:$/.test(URL.parse(value)?.protocol ?? '') ? undefined : 'must be an http or https address',
);
const pattern = text((value) => {
  try {
    return void new RegExp(value, 'u');
  } catch {
    return 'is not a regular expression (ECMAScript, flag u)';
  }
});

const authorizationParams = z.record(z.string(), z.string()).superRefine((params, context) => {
  for (const name of SET_BY_THE_FLOW.filter((reserved) => Object.hasOwn(params, reserved)))
    context.addIssue({ code: 'custom', path: [name], message: 'is set by the service itself' });
});

const authMethod = z.enum(['client_secret_basic', 'client_secret_post', 'none']);

const oauth2 = (address: z.ZodType<string>, base: z.ZodType<string>) =>
  z.strictObject({
    kind: z.literal('oauth2'),
    authorizationUrl: address,
    tokenUrl: address,
    revocationUrl: orNull(address),
    issuer: orNull(base),
    scopes: z.array(text(unless(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope (RFC 6749, 3.3)'))),
    scopeSeparator: nonEmpty.default(' '),
    pkce: z.boolean().default(true),
    tokenEndpointAuthMethod: authMethod.default('client_secret_basic'),
    revocationAuthMethod: orNull(authMethod),
    authorizationParams: authorizationParams.default({}),
    revocationEndsGrant: z.boolean().default(false),
    invalidGrantErrors: z.array(nonEmpty).default([]),
  });

const apiKey = (address: z.ZodType<string>) =>
  z.strictObject({
    kind: z.literal('api_key'),
    placement: z.discriminatedUnion('in', [
      z.strictObject({ in: z.literal('header'), name: headerName, prefix: visible.default('') }),
      z.strictObject({ in: z.literal('query'), name: nonEmpty, prefix: visible.default('') }),
    ]),
    verify: z.strictObject({
      method: z.enum(['GET', 'HEAD', 'POST']),
      url: address,
      ok: z.array(z.int().min(100).max(599)).min(1),
    }),
  });

const signature = z.discriminatedUnion('scheme', [
  z.strictObject({
    scheme: z.enum(['slack', 'stripe', 'github', 'standard_webhooks', 'calendly', 'pagerduty', 'figma']),
  }),
  z.strictObject({
    scheme: z.undefined().optional(),
    header: headerName,
    algorithm: z.enum(['sha1', 'sha256', 'sha512']),
    encoding: z.enum(['hex', 'base64']),
    prefix: visible.default(''),
  }),
]);

const eventSource = z
  .strictObject({
    header: orNull(headerName),
    jsonPath: orNull(dottedPath),
    signature: signature.nullable(),
    handshake: orNull(z.enum(['slack', 'meta', 'microsoft_graph'])),
    delivery: orNull(z.union([z.strictObject({ header: headerName }), z.strictObject({ jsonPath: dottedPath })])),
    secretOf: z.enum(['integration', 'endpoint', 'application']).default('integration'),
    accountPaths: z.array(dottedPath).default([]),
  })
  .refine(namesOneSource, { error: 'must have exactly one of header and json_path', when: () => true });

/** Runs even if the object has other errors, so it accepts any value. */
function namesOneSource(source: unknown): boolean {
  if (typeof source !== 'object' || source === null) return true;
  const { header, jsonPath } = source as Record<string, unknown>;
  return (header ?? null) === null ? (jsonPath ?? null) !== null : (jsonPath ?? null) === null;
}

const parameters = z
  .record(
    z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be named in lower case, digits and underscores'),
    z.strictObject({ description: z.string(), pattern }),
  )
  .transform((byName) => Object.entries(byName).map(([name, rest]) => ({ name, ...rest })));

/** The schema of an app whose URL templates may use the given parameters. It has no secrets. */
export function appSchema(parameterNames: ReadonlySet<string>) {
  const address = text((value) => urlTemplateFault(value, parameterNames));
  const base = text((value) => urlTemplateFault(value, parameterNames) ?? (value.includes('?') ? NO_QUERY : undefined));
  return z.strictObject({
    type: text(unless(/^[a-z0-9_]+$/, 'must be made of a-z, 0-9 and _')),
    name: text(unless(/\S/, 'must not be empty')),
    documentationUrl: orNull(pageAddress),
    verified: z.boolean().default(false),
    auth: z.discriminatedUnion('kind', [oauth2(address, base), apiKey(address)]),
    apiBaseUrl: base,
    apiHeaders: z.record(headerName, visible).default({}),
    parameters: parameters.default([]),
    identity: orNull(z.strictObject({ url: address, id: dottedPath, name: dottedPath })),
    events: z
      .record(nonEmpty, z.strictObject({}))
      .transform((byName) => Object.keys(byName))
      .default([]),
    eventSource: orNull(eventSource),
  });
}

/** An app definition before defaults are filled in, with TypeScript's camel-case names. */
export type AppSchemaInput = z.input<ReturnType<typeof appSchema>>;
