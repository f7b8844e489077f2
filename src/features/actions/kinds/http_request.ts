import { defineAction } from '../define-action.js';
import { prepareRequest, RESPONSE, sendRequest } from '../http-step.js';
import { bodyKey, headersKey, methodKey, url } from '../request-checks.js';

/** `{ method, url, headers?, body? }`; the body is any JSON. */
export const httpRequest = defineAction({
  kind: 'http_request',
  description: 'Sends an HTTP request.',
  keys: {
    method: methodKey,
    url: {
      required: true,
      about:
        'An absolute http or https URL without user name and password. It must not lead into a private network, unless ALLOW_PRIVATE_NETWORK allows that; while BASE_URL is a loopback URL, outside production, it may lead to that machine.',
      schema: { type: 'string', examples: ['https://shop.example/orders'] },
      check: url,
    },
    headers: headersKey,
    body: bodyKey,
  },
  output: RESPONSE,
  execute: (config, work) =>
    sendRequest(prepareRequest(config, work), { url: config.url as string, trust: 'user' }, work).then(
      ({ outcome }) => outcome,
    ),
});
