import { anything, checkConfig, templateOf, text } from '../config-checks.js';
import { defineAction } from '../define-action.js';
import { headers, method, path } from '../request-checks.js';
import { literalText } from '../template.js';

/** `{ integration_id, method, path, headers?, body? }`; an `integration_id` with a placeholder is looked up when it runs. */
export const appRequest = defineAction({
  kind: 'app_request',
  description:
    'Sends an HTTP request to a connected application, with its credentials. Config: `integration_id`, `method`, `path`, optional `headers` and `body`.',
  validate: (config, at) =>
    checkConfig(config, at, {
      required: { integration_id: text(), method, path },
      optional: { headers, body: anything },
    }),
  integrationId: ({ integration_id: id }) => {
    const template = typeof id === 'string' ? templateOf(id) : undefined;
    return template && literalText(template);
  },
});
