import { type SealContext, type Secrets } from '../../platform/encryption/secrets.js';

/** What a client sent, keys in their order, unknown ones too. */
export type TriggerConfig = Record<string, unknown>;

/** The key whose value is never stored in the clear, whatever the type of the trigger. */
const SECRET = 'secret';

/** The JSON text for the column, with the secret sealed where it stands. */
export function sealConfig(secrets: Secrets, config: TriggerConfig, context: SealContext): string {
  return JSON.stringify(withSecret(config, (value) => secrets.seal(JSON.stringify(value), context)));
}

/** What was handed to `sealConfig`; its secret is null when no key opens it. */
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

/** The seal context of everything secret in a trigger's row. */
export function triggerContext(accountId: string, uuid: string): SealContext {
  return { accountId, table: 'triggers', id: uuid };
}

function withSecret(config: TriggerConfig, change: (value: unknown) => unknown): TriggerConfig {
  if (!Object.hasOwn(config, SECRET)) return config;
  // Object.fromEntries keeps the order, and defines `__proto__` like any other key.
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, key === SECRET ? change(value) : value]),
  );
}
