import { textFault } from '../../../platform/validation.js';
import { type TriggerConfig } from '../trigger-config.js';
import { ConfigFaults, defineTriggerKind } from '../define-trigger-kind.js';

/** The name of an HTTP header (RFC 9110, 5.1: a token) of at most 100 characters. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const MAX_SECRET = 1_000;

/** Fires on a POST to its own URL. `secret` and `signature_header` verify posts, `dedupe_header` deduplicates them. */
export const webhook = defineTriggerKind({
  type: 'webhook',
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
