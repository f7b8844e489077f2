import { type ErrorDetail, validationError } from '../../platform/errors.js';
import { faultsOfConfigNames, type NameRules } from '../../platform/json/unknown-names.js';
import { type TriggerType } from '../workflows/trigger-type.js';
import { triggerKinds } from './kinds/index.js';
import { type TriggerConfig, withStoredSecret } from './trigger-config.js';
import { type Trigger } from './trigger.entity.js';
import { type UpdateTriggerInput } from './trigger.inputs.js';

/** The config after a change. Only hooks keep their secret: the configs of other types hold anything. */
export function configAfter({ type, config, unreadable }: Trigger, input: UpdateTriggerInput): TriggerConfig {
  if (input.config == null || !triggerKinds[type].hasHook) return input.config ?? config;
  // A secret that no key opens is shown as null; a client that sends that null back does not mean to remove it.
  if (unreadable !== null && config.secret === null && input.config.secret == null) {
    throw validationError({
      field: 'config.secret',
      message: 'cannot be read, so a changed config must have a new one',
    });
  }
  return withStoredSecret(input.config, config);
}

/** Whether a config is another one than that of a trigger. */
export function isOther(config: TriggerConfig, { config: stored, unreadable }: Trigger): boolean {
  // An unreadable secret is shown as null; a config sent back with that null has no secret, so it is a change.
  return unreadable !== null || JSON.stringify(config) !== JSON.stringify(stored);
}

/** The faults of a config's keys; a kind without keys takes any. */
export function faultsOfKeys(type: TriggerType, config: TriggerConfig, rules: NameRules): ErrorDetail[] {
  const { keys } = triggerKinds[type];
  return Object.keys(keys).length === 0 ? [] : faultsOfConfigNames(config, keys, 'config.', rules);
}
