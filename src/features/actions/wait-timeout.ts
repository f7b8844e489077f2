import { type ErrorDetail } from '../../platform/errors.js';
import { orPlaceholder } from '../../platform/json/config-key.js';
import { templateOf } from './config-checks.js';
import { type ActionKey, type Config } from './define-action.js';
import { isOnePlaceholder } from './placeholders/template.js';

/** The least and the most seconds that a wait may take. */
export const MIN_WAIT_SECONDS = 60;
export const MAX_WAIT_SECONDS = 604_800;
const DEFAULT_SECONDS = 86_400;

/** How long a wait may take; a day by default. */
export const timeoutKey: ActionKey = {
  required: false,
  about: `How long to wait at most, in seconds: ${MIN_WAIT_SECONDS} to ${MAX_WAIT_SECONDS.toLocaleString('en')}, or one placeholder. Default: ${DEFAULT_SECONDS.toLocaleString('en')}, a day.`,
  schema: orPlaceholder({ type: 'integer', minimum: MIN_WAIT_SECONDS, maximum: MAX_WAIT_SECONDS }),
  check: secondsFaults,
};

/** The seconds of a valid rendered config. */
export function secondsOf({ timeout_seconds: given }: Config): number {
  return typeof given === 'number' ? given : DEFAULT_SECONDS;
}

function secondsFaults(value: unknown, field: string): ErrorDetail[] {
  if (Number.isInteger(value) && (value as number) >= MIN_WAIT_SECONDS && (value as number) <= MAX_WAIT_SECONDS)
    return [];
  const template = typeof value === 'string' ? templateOf(value) : [];
  if (template === undefined || isOnePlaceholder(template)) return [];
  const bounds = `from ${MIN_WAIT_SECONDS} to ${MAX_WAIT_SECONDS.toLocaleString('en')}`;
  return [{ field, message: `must be a whole number ${bounds}, or one placeholder` }];
}
