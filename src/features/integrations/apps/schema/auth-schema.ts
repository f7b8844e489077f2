import { z } from 'zod';
import { matchesWhole } from '../whole-pattern.js';
import { templateFault, type TemplateNames } from './template-names.js';
import { dottedPath, headerName, nameFault, nonEmpty, orNull, patternFault, text, unless, visible } from './texts.js';

/** A host that belongs to no provider: a pattern that matches it would accept any host. */
const FOREIGN_ORIGIN = 'https://capture.invalid';

const SET_BY_THE_FLOW = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/** The maximum number of ways to connect an app. */
const MAX_WAYS = 5;

const authorizationParams = z.record(z.string(), z.string()).superRefine((params, context) => {
  for (const name of SET_BY_THE_FLOW.filter((reserved) => Object.hasOwn(params, reserved)))
    context.addIssue({ code: 'custom', path: [name], message: 'is set by the service itself' });
});

const capturePattern = text(
  (value) => patternFault(value) ?? (matchesWhole(value, FOREIGN_ORIGIN) ? 'must not match every host' : undefined),
);

const captures = ({ parameters }: TemplateNames) =>
  z
    .record(
      text((name) => nameFault(name) ?? (parameters.has(name) ? 'is the name of a parameter, too' : undefined)),
      z.strictObject({ path: dottedPath, pattern: orNull(capturePattern) }),
    )
    .transform((byName) => Object.entries(byName).map(([name, rest]) => ({ name, ...rest })));

const authMethod = z.enum(['client_secret_basic', 'client_secret_post', 'none']);

const oauth2 = (names: TemplateNames) => {
  const address = text((value) => templateFault(value, names));
  return z.strictObject({
    kind: z.literal('oauth2'),
    authorizationUrl: address,
    tokenUrl: address,
    revocationUrl: orNull(address),
    issuer: orNull(baseUrl(names)),
    scopes: z.array(text(unless(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope (RFC 6749, 3.3)'))),
    scopeSeparator: nonEmpty.default(' '),
    pkce: z.boolean().default(true),
    tokenEndpointAuthMethod: authMethod.default('client_secret_basic'),
    revocationAuthMethod: orNull(authMethod),
    authorizationParams: authorizationParams.default({}),
    revocationEndsGrant: z.boolean().default(false),
    invalidGrantErrors: z.array(nonEmpty).default([]),
    captures: captures(names).default([]),
  });
};

const apiKey = (names: TemplateNames) =>
  z.strictObject({
    kind: z.literal('api_key'),
    placement: z.discriminatedUnion('in', [
      z.strictObject({ in: z.literal('header'), name: headerName, prefix: visible.default('') }),
      z.strictObject({ in: z.literal('query'), name: nonEmpty, prefix: visible.default('') }),
    ]),
    verify: z.strictObject({
      method: z.enum(['GET', 'HEAD', 'POST']),
      url: text((value) => templateFault(value, names)),
      ok: z.array(z.int().min(100).max(599)).min(1),
    }),
  });

const way = (names: TemplateNames) => z.discriminatedUnion('kind', [oauth2(names), apiKey(names)]);

type Way = z.output<ReturnType<typeof way>>;
type WayInput = z.input<ReturnType<typeof way>>;

const list = (names: TemplateNames) =>
  z
    .array(way(names))
    .min(1)
    .max(MAX_WAYS, `must have at most ${MAX_WAYS} ways`)
    .superRefine((ways, context) => {
      for (const [index, { kind }] of ways.entries())
        if (ways.findIndex((other) => other.kind === kind) < index)
          context.addIssue({ code: 'custom', path: [index, 'kind'], message: `is there already: ${kind}` });
    });

/** How an app is connected: one way, or a list in order of preference. The result is a list. */
export function auth(names: TemplateNames): z.ZodType<Way[], WayInput | WayInput[]> {
  // Not a union of both, whose errors would not name the field.
  return names.isAuthList ? list(names) : way(names).transform((one) => [one]);
}

/** A URL template without a query. `isApi`: it may use captures. */
export function baseUrl(names: TemplateNames, isApi = false) {
  return text(
    (value) => templateFault(value, names, isApi) ?? (value.includes('?') ? 'must have no query' : undefined),
  );
}
