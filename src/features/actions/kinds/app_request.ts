import { templateOf, text } from '../config-checks.js';
import { AppError } from '../../../platform/errors.js';
import { type Config, defineAction } from '../define-action.js';
import { type PreparedRequest, prepareRequest, RESPONSE, sendRequest } from '../http-step.js';
import { MAX_RENDERED_BYTES, renderConfig, type RenderScope, renderTemplate } from '../placeholders/render.js';
import { type StepOutcome, type StepWork } from '../step-work.js';
import { bodyKey, headersKey, methodKey, path } from '../request-checks.js';
import { literalText, parseTemplate } from '../placeholders/template.js';

/**
 * `{ integration_id, method, path, headers?, body? }`; an `integration_id` with a placeholder is resolved at run time.
 */
export const appRequest = defineAction({
  kind: 'app_request',
  description: 'Sends an HTTP request to a connected application, with its credentials.',
  keys: {
    integration_id: {
      required: true,
      about: 'The connection: the id of an integration of the account.',
      schema: { type: 'string', examples: ['int_01kagrx8010000000000000000'] },
      check: text(),
    },
    method: methodKey,
    path: {
      required: true,
      about:
        'The path, added to the base URL of the application. It begins with one `/`, may have a query, and must not leave the base URL. Values of placeholders are percent-encoded.',
      schema: { type: 'string', pattern: '^/', examples: ['/repos/acme/shop/issues'] },
      check: path,
    },
    headers: headersKey,
    body: bodyKey,
  },
  output: RESPONSE,
  integrationId: ({ integration_id: id }) => {
    const template = typeof id === 'string' ? templateOf(id) : undefined;
    return template && literalText(template);
  },
  render,
  execute: (config, work) =>
    send(prepareRequest(config, work), config.integration_id as string, config.path as string, work),
});

/** Placeholders in the path are percent-encoded, so that a value is one segment whatever it holds. */
function render({ path: given, ...rest }: Config, scope: RenderScope): Config {
  const path = renderTemplate(parseTemplate(given as string), scope, {
    maxBytes: MAX_RENDERED_BYTES,
    encode: encodeURIComponent,
  });
  return { ...(renderConfig(rest, scope, MAX_RENDERED_BYTES) as Config), path };
}

async function send(
  request: PreparedRequest,
  integrationId: string,
  path: string,
  work: StepWork,
): Promise<StepOutcome> {
  try {
    const { accountId, hops } = work;
    const caller = { accountId, hops: hops + 1 };
    const { outcome } = await work.applications.call(caller, { integrationId, path }, (target) =>
      sendRequest(request, { ...target, trust: 'operator' }, work),
    );
    return outcome;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message } = error;
    return { kind: code === 'provider_unavailable' ? 'retry' : 'failed', error: { code, message } };
  }
}
