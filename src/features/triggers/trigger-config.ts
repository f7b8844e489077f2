import { type SealContext, type Secrets } from '../../platform/encryption/secrets.js';

/** A config as the client sent it, with the order of keys and unknown keys preserved. */
export type TriggerConfig = Record<string, unknown>;

/** The key whose value is never stored in plain text, for any type of trigger. */
export const SECRET = 'secret';

/** The JSON text for the column, with the secret sealed in place. */
export function sealConfig(secrets: Secrets, config: TriggerConfig, context: SealContext): string {
  return JSON.stringify(withSecret(config, (value) => secrets.seal(JSON.stringify(value), context)));
}

/** Reverses `sealConfig`. If no key opens the secret, it is null and `isWhole` is false. */
export function openConfig(
  secrets: Secrets,
  config: TriggerConfig,
  context: SealContext,
): { config: TriggerConfig; isWhole: boolean } {
  let isWhole = true;
  const opened = withSecret(config, (value) => {
    const text = secrets.tryOpen(value as string, context);
    isWhole = text !== null;
    return text === null ? null : (JSON.parse(text) as unknown);
  });
  return { config: opened, isWhole };
}

/**
 * A changed config with the stored secret, unless it has its own; `"secret": null` removes it. So a client that does not
 * know the secret never opens a hook to unsigned posts by accident.
 */
export function withStoredSecret(config: TriggerConfig, stored: TriggerConfig): TriggerConfig {
  const { [SECRET]: secret, ...others } = config;
  if (secret === null) return others;
  return secret === undefined && Object.hasOwn(stored, SECRET) ? { ...others, [SECRET]: stored[SECRET] } : config;
}

/** The seal context of the secrets in a trigger's row. */
export function triggerContext(accountId: string, uuid: string): SealContext {
  return { accountId, table: 'triggers', id: uuid };
}

function withSecret(config: TriggerConfig, change: (value: unknown) => unknown): TriggerConfig {
  if (!Object.hasOwn(config, SECRET)) return config;
  // Object.fromEntries keeps the order and treats `__proto__` like any other key.
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, key === SECRET ? change(value) : value]),
  );
}
