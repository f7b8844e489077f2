import { z } from 'zod';
import { auth, baseUrl } from './auth-schema.js';
import { parameters } from './parameters-schema.js';
import { templateFault, type TemplateNames } from './template-names.js';
import { dottedPath, headerName, nonEmpty, orNull, text, unless, visible } from './texts.js';

const pageAddress = text((value) =>
  /^https?:$/.test(URL.parse(value)?.protocol ?? '') ? undefined : 'must be an http or https address',
);

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

/** The schema of an app whose URL templates may use the given names. It has no secrets. */
export function appSchema(names: TemplateNames) {
  return z.strictObject({
    type: text(unless(/^[a-z0-9_]+$/, 'must be made of a-z, 0-9 and _')),
    name: text(unless(/\S/, 'must not be empty')),
    documentationUrl: orNull(pageAddress),
    verified: z.boolean().default(false),
    auth: auth(names),
    apiBaseUrl: baseUrl(names, true),
    apiHeaders: z.record(headerName, visible).default({}),
    parameters: parameters.default([]),
    identity: orNull(
      z.strictObject({ url: text((value) => templateFault(value, names, true)), id: dottedPath, name: dottedPath }),
    ),
    events: z
      .record(nonEmpty, z.strictObject({}))
      .transform((byName) => Object.keys(byName))
      .default([]),
    eventSource: orNull(eventSource),
  });
}

/** An app definition before defaults are filled in, with TypeScript's camel-case names. */
export type AppSchemaInput = z.input<ReturnType<typeof appSchema>>;
