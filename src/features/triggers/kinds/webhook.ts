import { textFault } from '../../../platform/validation.js';
import { type TriggerConfig } from '../trigger-config.js';
import { SIGNATURE_HEADER } from '../hooks/hook-signature.js';
import { ConfigFaults, defineTriggerKind } from '../define-trigger-kind.js';

/** The name of an HTTP header (RFC 9110, 5.1: a token) of at most 100 characters. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const MAX_SECRET = 1_000;
const HEADER = { type: 'string', pattern: HEADER_NAME.source };

/** Fires on a POST to its own URL. `secret` and `signature_header` verify posts, `dedupe_header` deduplicates them. */
export const webhook = defineTriggerKind({
  type: 'webhook',
  description: 'Fires on a POST to its own address.',
  keys: {
    secret: {
      required: false,
      about: `1 to ${MAX_SECRET.toLocaleString('en')} characters. With it, a post must prove that its sender knows the secret: a header holds \`sha256=\` and the HMAC-SHA256 of the raw body in hex. A post without it, or with a wrong one, is answered 401 and not recorded.`,
      schema: { type: 'string', minLength: 1, maxLength: MAX_SECRET },
    },
    signature_header: {
      required: false,
      about: `The header with that signature. Default: \`${SIGNATURE_HEADER}\`.`,
      schema: { ...HEADER, default: SIGNATURE_HEADER },
    },
    dedupe_header: {
      required: false,
      about:
        'A header that names the event, e.g. `X-GitHub-Delivery`. Of posts with the same value the first fires, and for 30 days the others are answered as its duplicates. Without it no two posts are taken for the same, however equal.',
      schema: { ...HEADER, examples: ['X-GitHub-Delivery'] },
    },
  },
  hasHook: true,
  validate(config: TriggerConfig) {
    const faults = new ConfigFaults();
    // Null is refused too, so that a null never disables the signature check by accident.
    if (config.secret !== undefined) faults.add('secret', textFault(config.secret, 1, MAX_SECRET));
    for (const key of ['signature_header', 'dedupe_header']) {
      const name = config[key];
      if (name !== undefined && !(typeof name === 'string' && HEADER_NAME.test(name))) {
        faults.add(key, 'must be the name of an HTTP header');
      }
    }
    faults.refuse();
    return {};
  },
});
