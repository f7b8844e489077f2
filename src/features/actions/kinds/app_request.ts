import { oneOf, templateOf, text, that } from '../config-checks.js';
import { connectionOf, referenceKey, typeKey, type UserConnection } from '../connection-of-user.js';
import { AppError, type ErrorDetail, isDatabaseAway } from '../../../platform/errors.js';
import { HeldBackError } from '../../../platform/held-back.js';
import { blockMs } from '../../../platform/http/outbound/retry-after.js';
import { type ActionKey, type CheckScope, type Config, defineAction } from '../define-action.js';
import { nextTurn, type PreparedRequest, prepareRequest, RESPONSE, sendNow } from '../http-step.js';
import { MAX_RENDERED_BYTES, renderConfig, type RenderScope, renderTemplate } from '../placeholders/render.js';
import { type StepOutcome, type StepWork } from '../step-work.js';
import { bodyKey, headersKey, methodKey, path } from '../request-checks.js';
import { literalText, parseTemplate } from '../placeholders/template.js';
import { secondsOf, timeoutKey } from '../wait-timeout.js';

const IF_MISSING = ['fail', 'wait'] as const;

/**
 * `{ integration_id | connection, if_missing?, wait_seconds?, method, path, headers?, body? }`. A placeholder in
 * `integration_id` or `connection` is resolved at run time, so that one workflow serves any number of end users.
 */
export const appRequest = defineAction({
  kind: 'app_request',
  description: 'Sends an HTTP request to a connected application, with its credentials.',
  keys: {
    integration_id: {
      required: false,
      neededBy: ({ connection }) => connection == null,
      about: 'The connection: the id of an integration of the account. Exactly one of it and `connection`.',
      schema: { type: ['string', 'null'], examples: ['int_01kagrx8010000000000000000'] },
      check: (value, field, { config }) =>
        config.connection == null ? text()(value, field) : [{ field, message: 'cannot be combined with connection' }],
    },
    connection: {
      required: false,
      about:
        'The connection of an end user instead: `{ "type", "reference" }`. Of several that are connected, the step uses the one that connected last; it never uses one of another type or reference.',
      schema: {
        type: ['object', 'null'],
        properties: { type: typeKey.schema, reference: referenceKey.schema },
        required: ['type', 'reference'],
      },
      check: connectionFaults,
      isCheckedByStep: true,
    },
    if_missing: {
      required: false,
      about:
        'What follows if there is no such connection that is connected. `fail` (default): the step fails with `not_connected`. `wait`: the run waits for it.',
      schema: { type: ['string', 'null'], enum: [...IF_MISSING, null] },
      check: (value, field, { config }) =>
        config.connection == null
          ? [{ field, message: 'needs a connection by reference' }]
          : that(oneOf(IF_MISSING))(value, field),
    },
    wait_seconds: {
      ...timeoutKey,
      about: `${timeoutKey.about} Only with \`if_missing: "wait"\`.`,
      check: (value, field, scope) =>
        scope.config.if_missing === 'wait' || scope.isRendered
          ? timeoutKey.check(value, field, scope)
          : [{ field, message: 'needs if_missing: "wait"' }],
    },
    method: methodKey,
    path: {
      required: true,
      about:
        'The path, added to the base URL of the application. It begins with one `/`, may have a query but no `#`, and must not leave the base URL. Values of placeholders are percent-encoded.',
      schema: { type: 'string', pattern: '^/[^#]*$', examples: ['/repos/acme/shop/issues'] },
      check: path,
    },
    headers: headersKey,
    body: bodyKey,
  },
  output: RESPONSE,
  waits: ({ if_missing: missing }) => (missing === 'wait' ? 'connection' : undefined),
  integrationId: ({ integration_id: id }) => {
    const template = typeof id === 'string' ? templateOf(id) : undefined;
    return template && literalText(template);
  },
  render,
  execute: (config, work) => {
    if (config.connection == null)
      return send(prepareRequest(config, work), { integrationId: config.integration_id as string }, config, work);
    const connection = connectionOf(config.connection, work.applications.offersType);
    if ('code' in connection) return { kind: 'failed', error: connection };
    return send(prepareRequest(config, work), { connection }, config, work);
  },
});

/** Placeholders in the path are percent-encoded, so that a value is one segment whatever it holds. */
function render({ path: given, ...rest }: Config, scope: RenderScope): Config {
  const path = renderTemplate(parseTemplate(given as string), scope, {
    maxBytes: MAX_RENDERED_BYTES,
    encode: encodeURIComponent,
  });
  return { ...(renderConfig(rest, scope, MAX_RENDERED_BYTES) as Config), path };
}

type Target = { integrationId: string } | { connection: UserConnection };

async function send(
  request: PreparedRequest,
  target: Target,
  { path, if_missing: ifMissing, wait_seconds: seconds }: Config,
  work: StepWork,
): Promise<StepOutcome> {
  const began = performance.now();
  const later = (ms: number) => new Date(work.now.getTime() + performance.now() - began + ms);
  try {
    const { accountId, hops, signal } = work;
    const caller = { accountId, hops: hops + 1, signal };
    const place = { ...target, path: path as string };
    const { outcome, status, retryAfter } = await work.applications.call(caller, place, (given) =>
      sendNow(request, { ...given, trust: 'operator' }, work),
    );
    return status === 429 ? { kind: 'blocked', until: later(blockMs(status, retryAfter, later(0))!) } : outcome;
  } catch (error) {
    if (!(error instanceof AppError) || isDatabaseAway(error)) throw error;
    if (error instanceof HeldBackError)
      return error.by === 'busy'
        ? { kind: 'wait', until: nextTurn(work.now) }
        : { kind: 'blocked', until: later(error.waitMs) };
    const { code, message } = error;
    if ('connection' in target && code === 'not_found') {
      if (ifMissing !== 'wait') return { kind: 'failed', error: { code: 'not_connected', message } };
      const wait = { kind: 'connection', seconds: secondsOf({ timeout_seconds: seconds }), repeats: true } as const;
      return { kind: 'await', what: { ...wait, ...target.connection } };
    }
    return { kind: code === 'provider_unavailable' ? 'retry' : 'failed', error: { code, message } };
  }
}

function connectionFaults(value: unknown, field: string, scope: CheckScope): ErrorDetail[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return [{ field, message: 'must be an object with type and reference' }];
  const { type, reference } = value as Config;
  const faultsOf = (key: ActionKey, name: string, inner: unknown): ErrorDetail[] =>
    inner === undefined
      ? [{ field: `${field}.${name}`, message: 'is required' }]
      : key.check(inner, `${field}.${name}`, scope);
  return [...faultsOf(typeKey, 'type', type), ...faultsOf(referenceKey, 'reference', reference)];
}
