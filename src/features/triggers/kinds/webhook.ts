import { textFault } from '../../../platform/validation.js';
import { type TriggerConfig } from '../trigger-config.js';
import { ConfigFaults, defineTriggerKind } from '../define-trigger-kind.js';

/** A field name of HTTP (RFC 9110, 5.1: a token), of a length that stays readable. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const MAX_SECRET = 1_000;

/** Fires on a POST to its own address. `secret`, `signature_header`: who may; `dedupe_header`: how often. */
export const webhook = defineTriggerKind({
  type: 'webhook',
  hasHook: true,
  validate(config: TriggerConfig) {
    const faults = new ConfigFaults();
    // Null is refused too: a signature check must not be switched off by accident.
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
