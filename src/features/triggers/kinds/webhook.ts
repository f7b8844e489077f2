import { textFault } from '../../../platform/validation.js';
import { type TriggerConfig } from '../trigger-config.js';
import { SIGNATURE_HEADER } from '../hooks/hook-signature.js';
import { defineTriggerKind } from '../define-trigger-kind.js';

/** The name of an HTTP header (RFC 9110, 5.1: a token) of at most 100 characters. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const MAX_SECRET = 1_000;
const HEADER = { type: 'string', pattern: HEADER_NAME.source };

/** Fires on a POST to its own URL. `secret` and `signature_header` verify posts, `dedupe_header` deduplicates them. */
export const webhook = defineTriggerKind({
  type: 'webhook',
  description: 'Fires on a POST to its own URL.',
  keys: {
    secret: {
      required: false,
      about: `1 to ${MAX_SECRET.toLocaleString('en')} characters. With a secret, each post must be signed: a header contains \`sha256=\` and the HMAC-SHA256 of the body in hex, decoded if it has a content coding. A post without a signature, or with a wrong one, gets 401 and is not recorded. A changed config without \`secret\` keeps the stored one; null removes it.`,
      schema: { type: 'string', minLength: 1, maxLength: MAX_SECRET },
    },
    signature_header: {
      required: false,
      about: `The header with that signature. Default: \`${SIGNATURE_HEADER}\`. Without a secret it has no effect: posts are accepted unsigned.`,
      schema: { ...HEADER, default: SIGNATURE_HEADER },
    },
    dedupe_header: {
      required: false,
      about:
        'A header that identifies the event, e.g. `X-GitHub-Delivery`. The first post with a value fires; for 30 days further posts with the same value are duplicates of it. Without this key, or in a post without the header or with an empty one, no post counts as a duplicate, even if its body is equal; `Idempotency-Key` has no meaning of its own here.',
      schema: { ...HEADER, examples: ['X-GitHub-Delivery'] },
    },
  },
  hasHook: true,
  validate(config: TriggerConfig, { faults }) {
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
