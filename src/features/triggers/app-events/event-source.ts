import { type App, type EventSource } from '../../integrations/apps/app.js';
import { type AppRegistry } from '../../integrations/apps/registry.js';
import { textAt } from '../../integrations/apps/text-at.js';

/** An event source with the secret that verifies its posts; null while the provider's secret is not set. */
export interface ProvenSource {
  app: App;
  source: EventSource;
  secret: string | null;
}

/** The source of a post to `/events/<type>`, and the provider accounts that it names. */
export interface SharedPlace {
  proven: ProvenSource;
  /** The ids of accounts at the provider. */
  accounts: readonly string[];
}

/** The source of `/events/<type>`; undefined if the type has no shared address, or no secret to verify its posts. */
export function sharedSourceOf(apps: AppRegistry, type: string): ProvenSource | undefined {
  const app = apps.get(type);
  if (app === undefined || !apps.hasSharedAddress(app)) return undefined;
  return { app, source: app.eventSource!, secret: apps.signatureSecretOf(app)! };
}

/** The accounts at the provider that a body names, each once. */
export function accountsOf({ accountPaths }: EventSource, body: unknown): string[] {
  const named = accountPaths.map((path) => textAt(body, path)).filter((id) => id !== undefined);
  return [...new Set(named)];
}

/** A name shared by all posts that concern the same provider accounts. */
export function laneOf({ proven: { app }, accounts }: SharedPlace): string {
  return [app.type, ...accounts].join(' ');
}
