import { anything, checkConfig } from '../config-checks.js';
import { defineAction } from '../define-action.js';
import { prepareRequest, sendRequest } from '../http-step.js';
import { headers, method, url } from '../request-checks.js';

/** `{ method, url, headers?, body? }`; the body is any JSON. */
export const httpRequest = defineAction({
  kind: 'http_request',
  description: 'Sends an HTTP request. Config: `method`, `url`, optional `headers` and `body`.',
  validate: (config, at) =>
    checkConfig(config, at, { required: { method, url }, optional: { headers, body: anything } }),
  execute: (config, work) =>
    sendRequest(prepareRequest(config, work), { url: config.url as string, trust: 'user' }, work).then(
      ({ outcome }) => outcome,
    ),
});
